# Rules of `cmake --install`: libraries, headers in the folders of the source tree, a package for
# find_package(Grappa), a file for pkg-config, the programs with a launcher, examples and documents.
#
# The programs (GrappaProgram.cmake) are installed in a separate folder, because /usr/bin already contains
# a program cc. The launcher starts a program by its name.

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
  "${CMAKE_CURRENT_LIST_DIR}/Findzstd.cmake"
  DESTINATION "${package_dir}")
install(EXPORT GrappaTargets NAMESPACE Grappa:: DESTINATION "${package_dir}")
include(GrappaPkgConfig)

# The build folder is also a package for projects on this machine: find_package(Grappa) with Grappa_DIR.
export(EXPORT GrappaTargets NAMESPACE Grappa:: FILE "${PROJECT_BINARY_DIR}/GrappaTargets.cmake")
foreach(module libdivide Libdw Libunwind xxHash zstd)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/Find${module}.cmake" "${PROJECT_BINARY_DIR}" COPYONLY)
endforeach()

set(doc_dir "${CMAKE_INSTALL_DATADIR}/doc/grappa")

# The installed script finds the package, the programs and the launcher by paths relative to the script.
file(RELATIVE_PATH grappa_package "/${CMAKE_INSTALL_BINDIR}" "/${package_dir}")
file(RELATIVE_PATH grappa_programs "/${CMAKE_INSTALL_BINDIR}" "/${GRAPPA_INSTALL_PROGRAMDIR}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/installed_launcher.in"
  "${PROJECT_BINARY_DIR}/installed/grappa" @ONLY)
install(PROGRAMS "${PROJECT_BINARY_DIR}/installed/grappa" DESTINATION "${CMAKE_INSTALL_BINDIR}")

install(FILES "${CMAKE_CURRENT_LIST_DIR}/new_project"
  DESTINATION "${GRAPPA_INSTALL_PROGRAMDIR}/launcher")
install(DIRECTORY "${CMAKE_CURRENT_LIST_DIR}/new"
  DESTINATION "${GRAPPA_INSTALL_PROGRAMDIR}/launcher")

# The manual page, compressed as Debian requires. gzip -n omits the time, so builds are reproducible.
set(page "${PROJECT_BINARY_DIR}/installed/grappa.1")
configure_file("${CMAKE_CURRENT_LIST_DIR}/installed_launcher.1.in" "${page}" @ONLY)
find_program(GRAPPA_GZIP gzip DOC "Compresses the manual page")
mark_as_advanced(GRAPPA_GZIP)
if(GRAPPA_GZIP)
  execute_process(COMMAND "${GRAPPA_GZIP}" -9nkf "${page}" COMMAND_ERROR_IS_FATAL ANY)
  string(APPEND page .gz)
endif()
install(FILES "${page}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")

# The documents keep the folders of the source tree, so links between pages stay valid.
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/LICENSE"
  DESTINATION "${doc_dir}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${doc_dir}"
  REGEX "/docs/(CMakeLists.txt|Doxyfile.in|reference_filter.awk)$" EXCLUDE)
foreach(folder apps apps/betweenness apps/bfs apps/cc apps/communities apps/gups apps/kcore apps/nqueens apps/orbits
    apps/pagerank apps/sssp apps/tree_search apps/triangles apps/uts apps/words bench structures structures/graph system tests
    tests/models)
  install(FILES "${PROJECT_SOURCE_DIR}/${folder}/README.md" DESTINATION "${doc_dir}/${folder}")
endforeach()
foreach(figure 6 7 8 9a 9b)
  install(FILES "${PROJECT_SOURCE_DIR}/bench/results/figure${figure}.svg"
    "${PROJECT_SOURCE_DIR}/bench/results/simulated${figure}.svg"
    DESTINATION "${doc_dir}/bench/results")
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/bench/networks" DESTINATION "${doc_dir}/bench")

# Debian expects the license of a package in the file `copyright`.
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${doc_dir}" RENAME copyright)

# An example project that uses the installed Grappa. The folder docs/tutorial is another example project.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tests/install/outside/"
  DESTINATION "${doc_dir}/examples/first")
