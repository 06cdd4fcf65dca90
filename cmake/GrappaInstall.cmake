# `cmake --install`: archives, headers in the shape of the tree, and a package for find_package(Grappa).

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Grappa")

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/GrappaConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/GrappaConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/GrappaConfigVersion.cmake"
  COMPATIBILITY SameMajorVersion)

install(FILES
  "${PROJECT_BINARY_DIR}/GrappaConfig.cmake"
  "${PROJECT_BINARY_DIR}/GrappaConfigVersion.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindLibdw.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindLibunwind.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/Findlibdivide.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindxxHash.cmake"
  DESTINATION "${package_dir}")
install(EXPORT GrappaTargets NAMESPACE Grappa:: DESTINATION "${package_dir}")
