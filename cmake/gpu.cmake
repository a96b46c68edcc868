# SPDX-License-Identifier: Apache-2.0
# libhanji-gpu: a library of its own, because it carries 2 MB of PTX. It needs nothing to build and
# only the NVIDIA driver to run, which it opens at run time.
set(hanji_gpu_libraries)
if(HANJI_FREESTANDING OR NOT HANJI_GPU OR WIN32 OR APPLE) # no driver opens there
  return()
endif()

# The PTX as C, without comments. Written again only when a file changes.
file(GLOB hanji_ptx CONFIGURE_DEPENDS src/gpu/generated/*.ptx)
set(hanji_gpu_c ${CMAKE_CURRENT_BINARY_DIR}/gpu_images.c)
add_custom_command(OUTPUT ${hanji_gpu_c} COMMAND ${CMAKE_COMMAND} -DOUTPUT=${hanji_gpu_c} "-DFILES=${hanji_ptx}" -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed.cmake
                   DEPENDS ${hanji_ptx} cmake/embed.cmake VERBATIM)

# Machine code beside the PTX, for drivers without a compiler and for a quick start.
set(hanji_gpu_code ${CMAKE_CURRENT_BINARY_DIR}/gpu_cubins)
set(hanji_gpu_code_files ${hanji_gpu_code}.c)
set(hanji_cubins)
if(HANJI_GPU_CUBINS)
  file(GLOB hanji_cubins CONFIGURE_DEPENDS "${HANJI_GPU_CUBINS}/*.sm_*.cubin")
  if(NOT hanji_cubins)
    message(FATAL_ERROR "HANJI_GPU_CUBINS is ${HANJI_GPU_CUBINS}, a folder with NAME.sm_NN.cubin "
      "expected; tools/gpu_cubins.py makes them")
  endif()
  list(APPEND hanji_gpu_code_files ${hanji_gpu_code}.S)
  set_source_files_properties(${hanji_gpu_code}.S PROPERTIES OBJECT_DEPENDS "${hanji_cubins}")
endif()
add_custom_command(OUTPUT ${hanji_gpu_code}.c ${hanji_gpu_code}.S
                   COMMAND ${CMAKE_COMMAND} -DOUTPUT=${hanji_gpu_code}
                           "-DFOLDER=${HANJI_GPU_CUBINS}"
                           -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/cubins.cmake
                   DEPENDS ${hanji_cubins} cmake/cubins.cmake VERBATIM)

file(GLOB hanji_gpu_sources CONFIGURE_DEPENDS src/gpu/*.c)
add_library(hanji_gpu_objects OBJECT ${hanji_gpu_sources} ${hanji_gpu_c} ${hanji_gpu_code_files})
target_include_directories(hanji_gpu_objects PUBLIC include PRIVATE src)
target_compile_features(hanji_gpu_objects PUBLIC c_std_11)
target_compile_options(hanji_gpu_objects PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wpedantic -ffunction-sections -fdata-sections
                       $<$<BOOL:${HANJI_WERROR}>:-Werror> ${hanji_level_flags})
set_target_properties(hanji_gpu_objects PROPERTIES C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)

add_library(hanji_gpu_static STATIC $<TARGET_OBJECTS:hanji_gpu_objects>)
add_library(hanji_gpu_shared SHARED $<TARGET_OBJECTS:hanji_gpu_objects>)
set_target_properties(hanji_gpu_static PROPERTIES OUTPUT_NAME hanji-gpu EXPORT_NAME gpu_static)
set_target_properties(hanji_gpu_shared PROPERTIES OUTPUT_NAME hanji-gpu EXPORT_NAME gpu VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_libraries(hanji_gpu_static PUBLIC hanji_static ${CMAKE_DL_LIBS})
target_link_libraries(hanji_gpu_shared PUBLIC hanji_shared PRIVATE ${CMAKE_DL_LIBS})
add_library(hanji::gpu_static ALIAS hanji_gpu_static)
add_library(hanji::gpu ALIAS hanji_gpu_shared)
set(hanji_gpu_libraries hanji_gpu_static hanji_gpu_shared)
set(hanji_gpu_targets hanji_gpu_objects ${hanji_gpu_libraries})
if(HANJI_BUILD_TESTS)
  add_subdirectory(tests/gpu)
endif()
