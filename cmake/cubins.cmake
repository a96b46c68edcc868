# SPDX-License-Identifier: Apache-2.0
# cmake -DOUTPUT=file -DFOLDER=folder -P cubins.cmake: file.c with the table hanji_gpu_cubins of the
# files NAME.sm_NN.cubin in the folder, and file.S with their bytes. Without files the table is
# empty, and so is the other file.
set(bytes "")
set(declarations "")
set(rows "")
if(FOLDER)
  file(GLOB cubins "${FOLDER}/*.sm_*.cubin")
endif()
foreach(cubin IN LISTS cubins)
  get_filename_component(file "${cubin}" NAME)
  string(REGEX MATCH "^(.+)\\.sm_([0-9]+)\\.cubin$" whole "${file}")
  set(name "${CMAKE_MATCH_1}")
  set(symbol "hanji_cubin_${CMAKE_MATCH_1}_${CMAKE_MATCH_2}")
  string(APPEND bytes "    .balign 16\n    .globl ${symbol}\n    .hidden ${symbol}\n"
    "${symbol}:\n    .incbin \"${cubin}\"\n")
  string(APPEND declarations "extern const uint8_t ${symbol}[];\n")
  string(APPEND rows "    {\"${name}\", ${CMAKE_MATCH_2}, ${symbol}},\n")
endforeach()
if(bytes)
  set(bytes "    .section .rodata\n${bytes}    .section .note.GNU-stack,\"\",%progbits\n")
endif()
file(WRITE "${OUTPUT}.S" "${bytes}")
file(WRITE "${OUTPUT}.c" "#include \"gpu/gpu.h\"
${declarations}const hanji_gpu_cubin hanji_gpu_cubins[] = {
${rows}    {0, 0, 0}};
")
