# elfutils has no CMake package configuration file. This module defines the target Libdw::Libdw.

find_path(Libdw_INCLUDE_DIR elfutils/libdwfl.h)
find_library(Libdw_LIBRARY dw)
mark_as_advanced(Libdw_INCLUDE_DIR Libdw_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libdw REQUIRED_VARS Libdw_LIBRARY Libdw_INCLUDE_DIR)

if(Libdw_FOUND AND NOT TARGET Libdw::Libdw)
  add_library(Libdw::Libdw UNKNOWN IMPORTED)
  set_target_properties(Libdw::Libdw PROPERTIES
    IMPORTED_LOCATION "${Libdw_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Libdw_INCLUDE_DIR}")
endif()
