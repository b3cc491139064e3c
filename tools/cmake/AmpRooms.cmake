# One call a room. Every library is declared with its complete, direct DEPS; amp_check_layers() proves at the end
# of the configuration that no room depends on a room above it.

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

add_library(amp_flags INTERFACE)
target_compile_options(amp_flags INTERFACE -Wall -Wextra -Wno-unused-parameter $<$<BOOL:${AMP_WERROR}>:-Werror>)
target_include_directories(amp_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
if(AMP_SANITIZE)
  target_compile_options(amp_flags INTERFACE -fsanitize=${AMP_SANITIZE} -fno-omit-frame-pointer -g)
  target_link_options(amp_flags INTERFACE -fsanitize=${AMP_SANITIZE})
endif()

# amp_library(NAME SOURCES ... DEPS ... [PACKAGES ...] [HEADERS ...])
# DEPS are rooms of this project, PACKAGES are imported targets of others.
function(amp_library name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPS;PACKAGES" ${ARGN})
  add_library(${name} STATIC ${ROOM_SOURCES})
  target_link_libraries(${name} PUBLIC amp_flags ${ROOM_DEPS} PRIVATE ${ROOM_PACKAGES})
  amp_record_room(${name} "${ROOM_DEPS}")
endfunction()

# amp_tool(NAME SOURCES ... DEPS ... [PACKAGES ...]): a program in build/bin.
function(amp_tool name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPS;PACKAGES" ${ARGN})
  add_executable(${name} ${ROOM_SOURCES})
  target_link_libraries(${name} PRIVATE amp_flags ${ROOM_DEPS} ${ROOM_PACKAGES})
  target_compile_definitions(${name} PRIVATE AMP_VERSION="${PROJECT_VERSION}")
  amp_record_room(${name} "${ROOM_DEPS}")
endfunction()

# amp_test(NAME SOURCES ... DEPS ... [PACKAGES ...]): a GoogleTest program, one ctest test.
function(amp_test name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPS;PACKAGES" ${ARGN})
  add_executable(${name} ${ROOM_SOURCES})
  target_link_libraries(${name} PRIVATE amp_flags ${ROOM_DEPS} ${ROOM_PACKAGES} GTest::gtest_main GTest::gtest)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/bin)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endfunction()

function(amp_record_room name deps)
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  set_property(GLOBAL APPEND PROPERTY AMP_ROOMS ${name})
  set_property(GLOBAL PROPERTY AMP_FOLDER_${name} ${folder})
  set_property(GLOBAL PROPERTY AMP_DEPS_${name} ${deps})
endfunction()

# The level of a folder: a room may depend on rooms of its own or of a lower level only, and the compiler never
# sees more of the runtime than the package format, the base below it and the library catalogues.
function(amp_level folder out)
  set(levels "runtime/base=0" "runtime/format=1" "runtime/device=1" "runtime/library=1" "runtime/step=2" "runtime/train=3"
             "runtime/data=3" "runtime/profile=3" "runtime/capi=4" "dialects/graph=10" "dialects/train=11"
             "dialects/plan=12" "dialects=10" "compiler/support=13" "compiler/reference=13" "compiler/tiling=13" "compiler/codegen=14" "compiler/pipeline=16"
             "compiler=14" "tools=20" "test=30")
  foreach(entry IN LISTS levels)
    string(REPLACE "=" ";" pair ${entry})
    list(GET pair 0 prefix)
    list(GET pair 1 level)
    if(folder STREQUAL prefix OR folder MATCHES "^${prefix}/")
      set(${out} ${level} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "layers: folder '${folder}' has no level; give it one in tools/cmake/AmpRooms.cmake")
endfunction()

function(amp_check_layers)
  get_property(rooms GLOBAL PROPERTY AMP_ROOMS)
  foreach(room IN LISTS rooms)
    get_property(folder GLOBAL PROPERTY AMP_FOLDER_${room})
    get_property(deps GLOBAL PROPERTY AMP_DEPS_${room})
    amp_level(${folder} level)
    foreach(dep IN LISTS deps)
      get_property(depFolder GLOBAL PROPERTY AMP_FOLDER_${dep})
      if(NOT depFolder)
        message(FATAL_ERROR "layers: ${room} depends on '${dep}', which is no room of this project; name it under PACKAGES")
      endif()
      amp_level(${depFolder} depLevel)
      if(depLevel GREATER level)
        message(FATAL_ERROR "layers: ${room} (${folder}) depends upwards on ${dep} (${depFolder})")
      endif()
      if(folder MATCHES "^(dialects|compiler)" AND depFolder MATCHES "^runtime"
         AND NOT depFolder MATCHES "^runtime/(base|format|library)")
        message(FATAL_ERROR "layers: ${room} (${folder}) sees ${depFolder}; of the runtime the compiler sees base, format and library")
      endif()
      # Stages meet in compiler/pipeline alone.
      if(level EQUAL 14 AND depLevel EQUAL 14 AND NOT folder STREQUAL depFolder
         AND NOT (folder MATCHES "^compiler/codegen" AND depFolder MATCHES "^compiler/codegen"))
        message(FATAL_ERROR "layers: stage ${folder} depends on stage ${depFolder}; stages meet in compiler/pipeline")
      endif()
    endforeach()
  endforeach()
endfunction()
