# SPDX-License-Identifier: Apache-2.0
# A kernel file is <cipher>_<isa>[_<lane layout>].<S|c>; the isa part decides for which processors
# it is compiled and with which flags. What a script writes lies in the folder `generated` of the
# room. Adding a kernel is adding the file and its row in the room's table. To add an instruction
# set, add a line here.
set(hanji_isas rv32i zbkb armv6m armv7m armv7em avr a64 neon pmull sha3 avx2 avx512)
set(hanji_isa_rv32i_processors "riscv32|rv32")
set(hanji_isa_zbkb_processors "riscv32|rv32")
# Armv8-M has their instructions, too: the baseline those of armv6m, the mainline those of armv7m.
set(hanji_isa_armv6m_processors "armv6-m|armv8-m.base")
set(hanji_isa_armv7m_processors "armv7-m|armv7e-m|armv8-m.main")
# The DSP instructions; on Armv8-M they are an option, and the files ask the compiler.
set(hanji_isa_armv7em_processors "armv7e-m|armv8-m.main")
set(hanji_isa_avr_processors "avr")
foreach(isa a64 neon pmull sha3)
  set(hanji_isa_${isa}_processors "aarch64|arm64")
endforeach()
foreach(isa avx2 avx512)
  set(hanji_isa_${isa}_processors "x86_64|AMD64")
endforeach()
set(hanji_isa_rv32i_flags "")
set(hanji_isa_zbkb_flags "")
set(hanji_isa_armv6m_flags "")
set(hanji_isa_armv7m_flags "")
set(hanji_isa_armv7em_flags "")
set(hanji_isa_avr_flags "")
set(hanji_isa_a64_flags "")
set(hanji_isa_neon_flags "")
set(hanji_isa_pmull_flags -march=armv8-a+crypto)
set(hanji_isa_sha3_flags -march=armv8.2-a+crypto+sha3)
set(hanji_isa_avx2_flags -mavx2 -mbmi -mbmi2 -mpclmul)
set(hanji_isa_avx512_flags -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vbmi -mavx512vbmi2 -mgfni -maes -mpclmul -mvaes -mvpclmulqdq)

# Secrets that compilers spill are erased by wiping the stack to fixed depths, which hold for the
# frames that one level of optimisation makes. So this level goes to every C file of the library,
# after all other flags: neither the build type nor CFLAGS (-O2 of distributions, -O0 for debugging)
# changes it. On hosts tests look for secrets at -O3; in firmware at every level but -O0, which
# becomes -Os. Sanitizers keep copies of their own on the stack, so their builds keep their level.
if(NOT HANJI_LEVEL MATCHES "^(TESTED|BUILD)$")
  message(FATAL_ERROR "HANJI_LEVEL is '${HANJI_LEVEL}'; "
    "give TESTED, or BUILD for the level of the build type")
endif()
set(hanji_level_flags)
if(HANJI_LEVEL STREQUAL "BUILD")
  set(hanji_level_flags -DHANJI_ALLOW_O0) # src/support/level.h
elseif(HANJI_SANITIZE)
  set(hanji_level_flags -DHANJI_ALLOW_O0)
elseif(NOT HANJI_FREESTANDING)
  set(hanji_level_flags $<$<COMPILE_LANGUAGE:C>:-O3>)
else()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" hanji_type)
  string(REGEX MATCHALL "(^| )-O[^ ]*" hanji_levels "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${hanji_type}}")
  list(LENGTH hanji_levels hanji_count)
  if(hanji_count GREATER 0)
    list(GET hanji_levels -1 hanji_last)
  endif()
  if(NOT hanji_count GREATER 0 OR hanji_last MATCHES "-O0$")
    set(hanji_level_flags $<$<COMPILE_LANGUAGE:C>:-Os>)
  else() # one build folder for several types
    set(hanji_level_flags $<$<AND:$<COMPILE_LANGUAGE:C>,$<CONFIG:Debug>>:-Os>)
  endif()
endif()

# Wide vectors want what compilers leave to chance. clang aligns the stack to a whole line of the
# cache only when it is told to: what it keeps there of a state would lie across two lines or not.
# gcc aligns loops to 16 bytes, where one that is fast in one program is slower in the next.
set(hanji_vector_flags $<$<C_COMPILER_ID:Clang,AppleClang>:-mstackrealign> $<$<C_COMPILER_ID:GNU>:-falign-loops=32>)

# Kernels for these instruction sets are not optimised, which saves most of the time of a build
# whose kernels do not run, as under valgrind, or need not be fast, as under a sanitizer.
set(HANJI_SLOW_ISAS "" CACHE STRING "Instruction sets whose kernels the compiler need not optimise")

# The assembly file for the assembler of macOS: names begin with an underscore, local labels with L,
# and src/support/asm.h stands before the text.
function(hanji_mach_o file out)
  file(READ ${file} text)
  string(REGEX REPLACE "([^a-z_/.])(hanji_[a-z0-9_]+)" "\\1_\\2" text "${text}")
  string(REGEX REPLACE "([^A-Za-z0-9_])\\.L([a-z_]+)" "\\1L\\2" text "${text}")
  cmake_path(GET file FILENAME name)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/mach-o/${name}
       CONTENT "#include \"support/asm.h\"\n${text}" @ONLY)
  set(${out} ${CMAKE_CURRENT_BINARY_DIR}/mach-o/${name} PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endfunction()

# Move the kernel files out of the list `sources` into the list `kernels`, keeping only those for
# this processor and giving each its flags.
function(hanji_split_kernels sources kernels)
  set(kept)
  foreach(isa IN LISTS hanji_isas)
    file(GLOB files CONFIGURE_DEPENDS src/*/*_${isa}.[cS] src/*/*_${isa}_*.[cS] src/*/generated/*_${isa}.[cS] src/*/generated/*_${isa}_*.[cS])
    list(REMOVE_ITEM ${sources} ${files})
    if(files AND NOT HANJI_PORTABLE AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(${hanji_isa_${isa}_processors})$")
      if(APPLE OR WIN32)
        set(assembly ${files})
        list(FILTER assembly INCLUDE REGEX "\\.S$")
        list(FILTER files EXCLUDE REGEX "\\.S$")
        if(APPLE AND isa MATCHES "^(a64|neon|pmull|sha3)$") # as HANJI_X86_ASSEMBLY says
          foreach(file IN LISTS assembly)
            hanji_mach_o(${file} file)
            list(APPEND files ${file})
          endforeach()
        endif()
      endif()
      list(APPEND kept ${files})
      set_source_files_properties(${files} PROPERTIES COMPILE_OPTIONS "${hanji_isa_${isa}_flags}")
      if(isa MATCHES "^avx")
        list(FILTER files INCLUDE REGEX "\\.c$")
        set_property(SOURCE ${files} APPEND PROPERTY COMPILE_OPTIONS "${hanji_vector_flags}")
      endif()
      if(isa IN_LIST HANJI_SLOW_ISAS)
        list(FILTER files EXCLUDE REGEX "/(aimer|keccak|rainbow)/") # signing takes long
        set_property(SOURCE ${files} APPEND PROPERTY COMPILE_OPTIONS -O0)
      endif()
    endif()
  endforeach()
  set(${sources} ${${sources}} PARENT_SCOPE)
  set(${kernels} ${kept} PARENT_SCOPE)
endfunction()
