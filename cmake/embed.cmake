# SPDX-License-Identifier: Apache-2.0
# cmake -DOUTPUT=file.c -DFILES=list -P embed.cmake: the PTX files as the table hanji_gpu_images.
# The text becomes one string literal per file: gcc and clang take literals of any length, and both
# CMake and the compiler read them ten times as fast as arrays of numbers.
set(arrays "")
set(rows "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  string(REGEX REPLACE "/\\*[^*]*\\*/" "" text "${text}")
  string(REGEX REPLACE "[ ]*//[^\n]*\n" "" text "${text}")
  string(REGEX REPLACE "\n[ ]+" "\n" text "${text}")
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\\n\"\n\"" text "${text}")
  string(APPEND arrays "static const char ${name}[] = \"${text}\";\n")
  string(APPEND rows "    {\"${name}\", ${name}},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"gpu/gpu.h\"
#pragma GCC diagnostic ignored \"-Woverlength-strings\"
${arrays}const hanji_gpu_image hanji_gpu_images[] = {
${rows}    {0, 0}};
")
