# SPDX-License-Identifier: Apache-2.0
# What an installation holds: headers, libraries, hanji.pc for pkg-config, and the package that
# find_package(hanji) reads.
set(hanji_libraries hanji_static)
add_library(hanji::static ALIAS hanji_static)
if(TARGET hanji_shared)
  list(APPEND hanji_libraries hanji_shared)
  add_library(hanji::hanji ALIAS hanji_shared)
else()
  add_library(hanji::hanji ALIAS hanji_static)
endif()
# Libraries of their own beside libhanji, each with a CMake component and a file for pkg-config,
# named after them.
set(hanji_more rainbow gpu)
foreach(library IN LISTS hanji_libraries hanji_rainbow_libraries hanji_gpu_libraries)
  target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_definitions(${library} PUBLIC HANJI_KEY_AREA_BYTES=${HANJI_KEY_AREA_BYTES})
endforeach()

if(HANJI_INSTALL)
  include(CMakePackageConfigHelpers)
  set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hanji)
  install(TARGETS ${hanji_libraries} EXPORT hanji)
  foreach(more IN LISTS hanji_more)
    if(hanji_${more}_libraries)
      install(TARGETS ${hanji_${more}_libraries} EXPORT hanji-${more})
      install(EXPORT hanji-${more} NAMESPACE hanji:: DESTINATION ${package} FILE hanji-${more}Targets.cmake)
    endif()
  endforeach()
  # A header without its library would only fail later, when a program is linked.
  if(NOT hanji_rainbow_libraries)
    set(hanji_no_header PATTERN "rainbow.h" EXCLUDE)
  endif()
  install(DIRECTORY include/hanji DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          FILES_MATCHING PATTERN "*.h" ${hanji_no_header})
  install(EXPORT hanji NAMESPACE hanji:: DESTINATION ${package} FILE hanjiTargets.cmake)
  configure_package_config_file(cmake/hanjiConfig.cmake.in hanjiConfig.cmake INSTALL_DESTINATION ${package})
  # Before 1.0 a new minor version may change the interface.
  write_basic_package_version_file(hanjiConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/hanjiConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/hanjiConfigVersion.cmake DESTINATION ${package})

  # Relative to the file itself, so that an installation can be moved.
  file(RELATIVE_PATH hanji_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" hanji_pc_prefix "${hanji_pc_prefix}")
  configure_file(cmake/hanji.pc.in hanji.pc @ONLY)
  if(WIN32)
    file(APPEND ${CMAKE_CURRENT_BINARY_DIR}/hanji.pc "Libs.private: -lbcrypt\n")
  endif()
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/hanji.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  foreach(more IN LISTS hanji_more)
    if(hanji_${more}_libraries)
      configure_file(cmake/hanji-${more}.pc.in hanji-${more}.pc @ONLY)
      install(FILES ${CMAKE_CURRENT_BINARY_DIR}/hanji-${more}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    endif()
  endforeach()
endif()
