# Third-party packages of the runtime and the tools, as Debian 12 names them.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
if(AMP_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()

find_program(AMP_FLATC flatc REQUIRED)
find_path(AMP_FLATBUFFERS_INCLUDE flatbuffers/flatbuffers.h REQUIRED)
find_path(AMP_XXHASH_INCLUDE xxhash.h REQUIRED)
