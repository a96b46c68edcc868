# SPDX-License-Identifier: Apache-2.0
# RV32 firmware without an operating system: rv32imac, small code.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_C_FLAGS_INIT "-march=rv32imac -mabi=ilp32")
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_ASM_FLAGS_INIT "-march=rv32imac -mabi=ilp32")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
