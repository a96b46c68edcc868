# SPDX-License-Identifier: Apache-2.0
# Modules carry their own copy of the library: a process may hold another one, so nothing but these
# symbols is exported. On Windows only what a source marks with dllexport is, the init function. The
# linker of zig knows no such list for macOS: it exports all that is not hidden, and so the public
# functions of the library. macOS looks a name up in one library, so none takes another's place.
include(CheckLinkerFlag)
if(APPLE)
  check_linker_flag(C "LINKER:-exported_symbol,_main" HANJI_HAS_EXPORTED_SYMBOL)
endif()
function(hanji_export target)
  if(APPLE)
    if(HANJI_HAS_EXPORTED_SYMBOL)
      list(TRANSFORM ARGN PREPEND "LINKER:-exported_symbol,_")
      target_link_options(${target} PRIVATE ${ARGN})
    endif()
  elseif(NOT WIN32)
    string(REPLACE ";" "; " names "${ARGN}")
    set(exports ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
    file(WRITE ${exports} "{ global: ${names}; local: *; };\n")
    target_link_options(${target} PRIVATE "LINKER:--version-script=${exports}")
  endif()
endfunction()
