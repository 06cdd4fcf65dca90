# Settings for `cpack`, which makes a Debian package of the files that `cmake --install` installs.
#
# There is one package for running and developing, because users build the programs that they run or use
# the included programs. dpkg-shlibdeps finds the libraries that the included programs link. The first
# level of packages-debian.txt lists the packages that users' programs need.

set(grappa_depends)
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/packages-debian.txt" lines)
foreach(line IN LISTS lines)
  if(line MATCHES "^# programs:")
    break()
  elseif(line MATCHES "^([a-z0-9][^ ]*) ")
    list(APPEND grappa_depends "${CMAKE_MATCH_1}")
  endif()
endforeach()
list(JOIN grappa_depends ", " CPACK_DEBIAN_PACKAGE_DEPENDS)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME grappa)
set(CPACK_PACKAGE_VENDOR Grappa)
set(CPACK_PACKAGE_CONTACT "The Grappa authors <grappa@localhost>"
  CACHE STRING "Maintainer of the package: a name and <an e-mail address>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "task runtime with shared memory across a cluster")
set(CPACK_PACKAGE_DESCRIPTION "${PROJECT_DESCRIPTION}:
graphs, hash tables and queues over all processors of a cluster, for programs
in C++11. Contains libraries and headers, programs (graph search, connected
components, PageRank) and a launcher.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)  # strips programs only; archives keep line numbers for failure reports
set(CPACK_THREADS 0)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, cmake, ninja-build, pkgconf")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The usual directory permissions of packages, independent of the umask of the build.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# A package built with -march=native has the version suffix ~native, which sorts before the portable version.
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
if(GRAPPA_NATIVE)
  set(CPACK_DEBIAN_PACKAGE_RELEASE "1~native")
endif()

# Debian requires a changelog; this one has a single entry. SOURCE_DATE_EPOCH, if set, is its date.
if(GRAPPA_GZIP)
  string(TIMESTAMP made "%a, %d %b %Y %H:%M:%S +0000" UTC)
  set(changelog "${PROJECT_BINARY_DIR}/package/changelog.Debian")
  file(CONFIGURE OUTPUT "${changelog}" CONTENT
"grappa (@PROJECT_VERSION@-@CPACK_DEBIAN_PACKAGE_RELEASE@) unstable; urgency=medium

  * Grappa @PROJECT_VERSION@.

 -- @CPACK_PACKAGE_CONTACT@  @made@
" @ONLY)
  execute_process(COMMAND "${GRAPPA_GZIP}" -9nf "${changelog}" COMMAND_ERROR_IS_FATAL ANY)
  set(CPACK_INSTALLED_DIRECTORIES "${PROJECT_BINARY_DIR}/package" usr/share/doc/grappa)
endif()

include(CPack)
