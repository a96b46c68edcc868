# SPDX-License-Identifier: Apache-2.0
# HANJI_TINY: the library is the tiny amalgam of these algorithms, static, with the kernels
# of HANJI_TINY_ISA.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
string(REPLACE ";" "," hanji_tiny_names "${HANJI_TINY}")
set(hanji_tiny ${CMAKE_CURRENT_BINARY_DIR}/tiny)
execute_process(
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/tools/amalgam.py --profile tiny
          --algorithms "${hanji_tiny_names}" --isa "${HANJI_TINY_ISA}" --out ${hanji_tiny}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB hanji_tiny_parts CONFIGURE_DEPENDS tiny/*.[ch])
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${hanji_tiny_parts}
                                       ${CMAKE_CURRENT_SOURCE_DIR}/tools/tiny.py)
file(GLOB hanji_tiny_kernels ${hanji_tiny}/*.S)
if(hanji_tiny_kernels)
  enable_language(ASM)
endif()
add_library(hanji_static STATIC ${hanji_tiny}/hanji.c ${hanji_tiny_kernels})
add_library(hanji::static ALIAS hanji_static)
set_target_properties(hanji_static PROPERTIES OUTPUT_NAME hanji)
target_include_directories(hanji_static PUBLIC ${hanji_tiny})
target_compile_features(hanji_static PUBLIC c_std_11)
target_compile_options(hanji_static PRIVATE -Os -Wall -Wextra -ffunction-sections -fdata-sections
                                            $<$<BOOL:${HANJI_WERROR}>:-Werror>)
if(HANJI_INSTALL)
  install(TARGETS hanji_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(FILES ${hanji_tiny}/hanji.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
