# SPDX-License-Identifier: Apache-2.0
# ARMv8-A under Linux with Debian's cross compiler; programs run under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# OpenSSL of Debian's arm64 (multiarch), for libhanji-rainbow; pkg-config and the search would give
# that of the building machine.
set(hanji_libcrypto /usr/lib/aarch64-linux-gnu/libcrypto.so)
if(EXISTS ${hanji_libcrypto})
  set(OPENSSL_CRYPTO_LIBRARY ${hanji_libcrypto} CACHE FILEPATH "libcrypto for AArch64")
  set(OPENSSL_INCLUDE_DIR /usr/include CACHE PATH "Headers of OpenSSL")
endif()
