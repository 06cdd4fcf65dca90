# libdivide is one header, and some distributions provide no CMake package configuration file for it.
# This module defines the target libdivide::libdivide.

find_path(libdivide_INCLUDE_DIR libdivide.h)
mark_as_advanced(libdivide_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(libdivide REQUIRED_VARS libdivide_INCLUDE_DIR)

if(libdivide_FOUND AND NOT TARGET libdivide::libdivide)
  add_library(libdivide::libdivide INTERFACE IMPORTED)
  target_include_directories(libdivide::libdivide INTERFACE "${libdivide_INCLUDE_DIR}")
endif()
