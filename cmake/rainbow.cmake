# SPDX-License-Identifier: Apache-2.0
# libhanji-rainbow: a broken signature scheme, kept for the study of a paper, so no build has it
# unless it is asked for (make -C papers/rainbow-armv8). It is a library of its own, because it
# needs OpenSSL's libcrypto, which libhanji never links. HANJI_RAINBOW=ON demands libcrypto, and
# AUTO builds the library where libcrypto is there. With OPEN the library is linked with nothing of
# OpenSSL and opens libcrypto.so.3 on first use.
set(hanji_rainbow_libraries)
set(hanji_rainbow_targets)
if(HANJI_FREESTANDING OR NOT HANJI_RAINBOW)
  return()
endif()
if(HANJI_RAINBOW STREQUAL "OPEN")
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
  set(hanji_rainbow_needs Threads::Threads ${CMAKE_DL_LIBS})
  set(hanji_rainbow_definitions HANJI_LIBCRYPTO_AT_RUN_TIME)
  set(hanji_rainbow_dependency "Threads")
  set(hanji_rainbow_pc "Libs.private: -pthread -ldl")
else()
  set(hanji_rainbow_needs OpenSSL::Crypto)
  set(hanji_rainbow_definitions)
  set(hanji_rainbow_dependency "OpenSSL 3.0 COMPONENTS Crypto")
  set(hanji_rainbow_pc "Requires.private: libcrypto >= 3.0")
  find_package(OpenSSL 3.0 QUIET COMPONENTS Crypto)
  if(OpenSSL_FOUND)
    # When building for another machine, the library that was found may be that of this one.
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_LIBRARIES OpenSSL::Crypto)
    set(program "#include <openssl/evp.h>\nint main(void) { return EVP_MD_fetch(0, \"SHA2-256\", 0) == 0; }")
    check_c_source_compiles("${program}" hanji_libcrypto_links)
  endif()
  if(NOT hanji_libcrypto_links)
    if(NOT HANJI_RAINBOW STREQUAL "AUTO")
      message(FATAL_ERROR "HANJI_RAINBOW=${HANJI_RAINBOW}, but no program links with OpenSSL's libcrypto 3. "
              "On Debian, install libssl-dev for the machine that you build for; elsewhere, give OPENSSL_ROOT_DIR.")
    endif()
    message(STATUS "No OpenSSL 3 for this machine: libhanji-rainbow is not built")
    return()
  endif()
endif()

add_library(hanji_rainbow_objects OBJECT ${hanji_rainbow_sources})
target_include_directories(hanji_rainbow_objects PUBLIC include PRIVATE src)
target_compile_features(hanji_rainbow_objects PUBLIC c_std_11)
target_compile_definitions(hanji_rainbow_objects PRIVATE $<$<BOOL:${HANJI_PORTABLE}>:HANJI_PORTABLE>
                           ${hanji_rainbow_definitions})
target_compile_options(hanji_rainbow_objects PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wpedantic -ffunction-sections -fdata-sections
                       $<$<BOOL:${HANJI_WERROR}>:-Werror> ${hanji_level_flags})
set_target_properties(hanji_rainbow_objects PROPERTIES C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
target_link_libraries(hanji_rainbow_objects PRIVATE ${hanji_rainbow_needs})

add_library(hanji_rainbow_static STATIC $<TARGET_OBJECTS:hanji_rainbow_objects>)
add_library(hanji_rainbow_shared SHARED $<TARGET_OBJECTS:hanji_rainbow_objects>)
set_target_properties(hanji_rainbow_static PROPERTIES OUTPUT_NAME hanji-rainbow EXPORT_NAME rainbow_static)
set_target_properties(hanji_rainbow_shared PROPERTIES OUTPUT_NAME hanji-rainbow EXPORT_NAME rainbow VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR})
# Each takes the selection of kernels, wiping and random bytes from the libhanji of its kind.
target_link_libraries(hanji_rainbow_static PUBLIC hanji_static ${hanji_rainbow_needs})
target_link_libraries(hanji_rainbow_shared PUBLIC hanji_shared PRIVATE ${hanji_rainbow_needs})
add_library(hanji::rainbow_static ALIAS hanji_rainbow_static)
add_library(hanji::rainbow ALIAS hanji_rainbow_shared)
set(hanji_rainbow_libraries hanji_rainbow_static hanji_rainbow_shared)
# The same for the Python package, which loads it on first use; it has its own copy of what it needs
# of libhanji.
add_library(hanji_librainbow MODULE EXCLUDE_FROM_ALL $<TARGET_OBJECTS:hanji_rainbow_objects>)
target_link_libraries(hanji_librainbow PRIVATE hanji_static ${hanji_rainbow_needs})
set_target_properties(hanji_librainbow PROPERTIES PREFIX "" OUTPUT_NAME _librainbow
                      LINKER_LANGUAGE C)
hanji_export(hanji_librainbow hanji_rainbow_* hanji_force hanji_error_text)
target_link_options(hanji_librainbow PRIVATE LINKER:-u,hanji_force,-u,hanji_error_text)
set(hanji_rainbow_targets hanji_rainbow_objects ${hanji_rainbow_libraries} hanji_librainbow)
if(HANJI_BUILD_TESTS)
  add_subdirectory(tests/rainbow)
endif()
