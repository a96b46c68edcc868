# SPDX-License-Identifier: Apache-2.0
# Kernels in assembly for x86-64 on macOS and Windows, and for AArch64 on Windows; for AArch64 on
# macOS: hanji_mach_o of cmake/kernels.cmake. The files speak ELF; a copy of each is compiled, with
# src/support/asm.h before the text.

# The copy of an assembly file for `format`: mach-o or pe.
function(hanji_foreign_copy file format processor out)
  if(format STREQUAL "mach-o")
    hanji_mach_o(${file} copy)
    file(READ ${copy} text)
    set(constants "__TEXT,__const")
  else()
    file(READ ${file} text)
    set(text "#include \"support/asm.h\"\n${text}")
    set(constants ".rdata,\"dr\"")
    # Windows has tables of its own by which it leaves functions.
    string(REGEX REPLACE "\n *\\.cfi_[^\n]*" "" text "${text}")
    if(processor STREQUAL "x86_64")
      string(REGEX REPLACE "\n(hanji_[a-z0-9_]+):" "\n\\1_sysv:" text "${text}")
      string(REGEX REPLACE "\n\\.global (hanji_[a-z0-9_]+)" "\nhanji_windows_call \\1" text
                           "${text}")
    endif()
  endif()
  # The notes are for linkers of ELF.
  string(REGEX REPLACE "\n\\.section \\.note\\.gnu\\.property[^#]*" "\n" text "${text}")
  string(REGEX REPLACE "\n\\.section \\.note\\.GNU-stack[^\n]*" "" text "${text}")
  string(REPLACE "\n.section .rodata" "\n.section ${constants}" text "${text}")
  cmake_path(GET file FILENAME name)
  set(copy ${CMAKE_CURRENT_BINARY_DIR}/${format}-${processor}/${name})
  file(CONFIGURE OUTPUT ${copy} CONTENT "${text}" @ONLY)
  set(${out} ${copy} PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endfunction()

# Add to the list `kernels` what hanji_split_kernels has left out of it; `definitions` says so to
# the tables of kernels.
function(hanji_foreign_kernels kernels definitions)
  set(copies)
  set(defined)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(${hanji_isa_avx512_processors})$")
    set(processor x86_64)
    set(isas avx2 avx512)
    set(defined HANJI_X86_ASSEMBLY)
  elseif(WIN32 AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(${hanji_isa_neon_processors})$")
    set(processor aarch64)
    set(isas a64 neon pmull sha3)
  else()
    return()
  endif()
  if(WIN32)
    set(format pe)
  elseif(APPLE)
    set(format mach-o)
  endif()
  if(NOT format OR HANJI_PORTABLE)
    return()
  endif()
  foreach(isa IN LISTS isas)
    file(GLOB files CONFIGURE_DEPENDS src/*/*_${isa}.S src/*/*_${isa}_*.S
         src/*/generated/*_${isa}.S src/*/generated/*_${isa}_*.S)
    foreach(file IN LISTS files)
      hanji_foreign_copy(${file} ${format} ${processor} copy)
      set_source_files_properties(${copy} PROPERTIES COMPILE_OPTIONS "${hanji_isa_${isa}_flags}")
      list(APPEND copies ${copy})
    endforeach()
  endforeach()
  set(${kernels} ${${kernels}} ${copies} PARENT_SCOPE)
  set(${definitions} ${defined} PARENT_SCOPE)
endfunction()
