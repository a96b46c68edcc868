# SPDX-License-Identifier: Apache-2.0
# Firmware for AVR without an operating system: ATmega328P.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR avr)
set(CMAKE_C_COMPILER avr-gcc)
set(CMAKE_C_FLAGS_INIT "-mmcu=atmega328p")
set(CMAKE_ASM_COMPILER avr-gcc)
set(CMAKE_ASM_FLAGS_INIT "-mmcu=atmega328p")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
