# SPDX-License-Identifier: Apache-2.0
# What makes an attack on a fault harder, for what is installed: a guard word above arrays on the
# stack, checked sizes in calls of libc (FORTIFY), landing pads and a shadow stack for jumps and
# returns on x86-64 (CET), and addresses of functions that are read-only before the program starts
# (full RELRO: BIND_NOW). Compilers get it in the build types Release, RelWithDebInfo and
# MinSizeRel; a build of type None has the flags that it is given and no more, as distributions and
# the laboratory want it.
set(hanji_hardening_flags)
set(hanji_hardening_link_flags)
if(HANJI_HARDENING AND NOT HANJI_FREESTANDING AND NOT HANJI_SANITIZE)
  include(CheckCCompilerFlag)
  include(CheckLinkerFlag)
  foreach(flag -fstack-protector-strong -fcf-protection=full)
    string(MAKE_C_IDENTIFIER "hanji_has${flag}" has)
    check_c_compiler_flag("-Werror ${flag}" ${has})
    if(${has})
      list(APPEND hanji_hardening_flags ${flag})
    endif()
  endforeach()
  # Undefined first: some compilers define it by themselves, with another number.
  list(APPEND hanji_hardening_flags -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  # -z shstk: the object files of a system that begin and end a library may lack the note, but none
  # of them writes its return address. The mark for landing pads is left to the linker, which sets
  # it where those object files have them too.
  foreach(word relro now noexecstack shstk)
    string(MAKE_C_IDENTIFIER "hanji_has-z${word}" has)
    check_linker_flag(C "LINKER:--fatal-warnings,-z,${word}" ${has})
    if(${has})
      list(APPEND hanji_hardening_link_flags "LINKER:-z,${word}")
    endif()
  endforeach()
  list(TRANSFORM hanji_hardening_flags REPLACE "(.+)" "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:\\1>")
endif()

# Give the flags to targets: object libraries are compiled with them, shared libraries and modules
# linked.
function(hanji_harden)
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      target_compile_options(${target} PRIVATE ${hanji_hardening_flags})
      target_link_options(${target} PRIVATE ${hanji_hardening_link_flags})
    endif()
  endforeach()
endfunction()
