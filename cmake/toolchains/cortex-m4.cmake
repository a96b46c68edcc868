# SPDX-License-Identifier: Apache-2.0
# Firmware for Armv7E-M without an operating system.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR armv7e-m)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_C_FLAGS_INIT "-mthumb -mcpu=cortex-m4 -mfloat-abi=soft")
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
set(CMAKE_ASM_FLAGS_INIT "-mthumb -mcpu=cortex-m4 -mfloat-abi=soft")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
