# `cmake --install`: libraries, headers in the shape of the tree, a package for find_package(Grappa), a
# file for pkg-config, the programs with a launcher, examples and documents.
#
# The programs (GrappaProgram.cmake) are in a folder of their own, since /usr/bin has a cc already, and
# are started by their names with the launcher.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

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
include(GrappaPkgConfig)

# The launcher finds the others from where it lies.
set(job_dir "${CMAKE_INSTALL_DATADIR}/grappa")
file(RELATIVE_PATH grappa_job "/${CMAKE_INSTALL_BINDIR}" "/${job_dir}/job")
file(RELATIVE_PATH grappa_programs "/${CMAKE_INSTALL_BINDIR}" "/${GRAPPA_INSTALL_PROGRAMDIR}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/installed_launcher.in"
  "${PROJECT_BINARY_DIR}/installed/grappa" @ONLY)
install(PROGRAMS "${CMAKE_CURRENT_LIST_DIR}/job" DESTINATION "${job_dir}")
install(PROGRAMS "${PROJECT_BINARY_DIR}/installed/grappa" DESTINATION "${CMAKE_INSTALL_BINDIR}")

# As in the tree, so that links from page to page hold.
set(doc_dir "${CMAKE_INSTALL_DATADIR}/doc/grappa")
install(FILES "${PROJECT_SOURCE_DIR}/README.md" DESTINATION "${doc_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${doc_dir}" RENAME copyright)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${doc_dir}"
  PATTERN tutorial EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/apps/README.md" DESTINATION "${doc_dir}/apps")
install(FILES "${PROJECT_SOURCE_DIR}/system/README.md" DESTINATION "${doc_dir}/system")
install(FILES "${PROJECT_SOURCE_DIR}/structures/README.md" DESTINATION "${doc_dir}/structures")

# Each folder is a project of its own that finds the installed Grappa.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tests/install/outside/"
  DESTINATION "${doc_dir}/examples/first")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/tutorial/"
  DESTINATION "${doc_dir}/examples/tutorial")
