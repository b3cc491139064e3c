# LLVM and MLIR, linked as their two shared libraries: rooms name amp_mlir and never an upstream library, since one
# stray static archive beside the shared library gives two copies of every type id.
find_program(AMP_LLVM_CONFIG NAMES llvm-config-22 REQUIRED)
execute_process(COMMAND ${AMP_LLVM_CONFIG} --prefix OUTPUT_VARIABLE AMP_LLVM_PREFIX OUTPUT_STRIP_TRAILING_WHITESPACE)
find_package(MLIR 22.1 REQUIRED CONFIG HINTS ${AMP_LLVM_PREFIX}/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(amp_mlir INTERFACE)
target_link_libraries(amp_mlir INTERFACE MLIR LLVM)
target_include_directories(amp_mlir SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
# EH is off in the packaged LLVM and RTTI is on; the asserts of its headers stay in our own debug builds.
target_compile_options(amp_mlir INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)

# amp_dialect(NAME TD NAME.td FAMILIES ops/A.td ... INTERFACES ...) and amp_passes(...) live beside their use:
# each generates into the build tree under the source's own path, so includes read the same from both.
function(amp_tablegen out)
  cmake_parse_arguments(GEN "" "TD" "ARGS" ${ARGN})
  set(LLVM_TARGET_DEFINITIONS ${CMAKE_CURRENT_SOURCE_DIR}/${GEN_TD})
  mlir_tablegen(${out} ${GEN_ARGS} EXTRA_INCLUDES ${CMAKE_SOURCE_DIR} ${MLIR_INCLUDE_DIRS})
  set(TABLEGEN_OUTPUT ${TABLEGEN_OUTPUT} PARENT_SCOPE)
endfunction()

# amp_mlir_test(NAME ...): an amp_test of dialects/ or compiler/, with the precompiled header. That header is made for
# position-independent code, so the test is compiled as that.
function(amp_mlir_test name)
  amp_test(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  target_link_libraries(${name} PRIVATE amp_mlir)
  target_precompile_headers(${name} REUSE_FROM amp_precompiled)
endfunction()

# amp_passes(NAME SOURCES ... DEPS ...): a stage; its Passes.td gives Passes.h.inc.
function(amp_passes name)
  cmake_parse_arguments(ROOM "" "GROUP" "SOURCES;DEPS;PACKAGES" ${ARGN})
  amp_tablegen(Passes.h.inc TD Passes.td ARGS -gen-pass-decls -name=${ROOM_GROUP})
  add_public_tablegen_target(${name}_gen)
  amp_mlir_library(${name} SOURCES ${ROOM_SOURCES} DEPS ${ROOM_DEPS} PACKAGES ${ROOM_PACKAGES})
  add_dependencies(${name} ${name}_gen)
endfunction()

# amp_mlir_library: a library of dialects/ or compiler/. Generated headers of all dialects come first.
function(amp_mlir_library name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPS;PACKAGES" ${ARGN})
  amp_library(${name} SOURCES ${ROOM_SOURCES} DEPS ${ROOM_DEPS} PACKAGES ${ROOM_PACKAGES})
  target_link_libraries(${name} PUBLIC amp_mlir)
  if(NOT TARGET amp_dialects_gen)
    add_custom_target(amp_dialects_gen)
  endif()
  target_precompile_headers(${name} REUSE_FROM amp_precompiled)
  add_dependencies(${name} amp_dialects_gen)
endfunction()
