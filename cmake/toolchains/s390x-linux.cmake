# SPDX-License-Identifier: Apache-2.0
# A big-endian machine, IBM Z under Linux with Debian's cross compiler; programs run under
# qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x -L /usr/s390x-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# gcc 12 expands copies of at most a block into loops here and then suspects their impossible ends
# (the other targets and clang do not).
set(CMAKE_C_FLAGS_INIT "-Wno-stringop-overflow -Wno-array-bounds")
