# SPDX-License-Identifier: Apache-2.0
# ARMv8-A under Linux with clang, and the libraries and linker of Debian's cross compiler.
include(${CMAKE_CURRENT_LIST_DIR}/aarch64-linux.cmake)
set(CMAKE_C_COMPILER clang-14)
set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_ASM_COMPILER clang-14)
set(CMAKE_ASM_COMPILER_TARGET aarch64-linux-gnu)
