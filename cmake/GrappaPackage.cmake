# `cpack` in the folder of a build: a Debian package of what `cmake --install` installs.
#
# One package, not one to run and one to develop: whoever runs a program has built it, or takes one of
# those inside. What its programs link is found by dpkg-shlibdeps; what users' programs need to be built
# and run is the first level of packages-debian.txt.

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
  CACHE STRING "Who makes the package and answers for it: a name and <an address>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "task runtime that makes a cluster look like one big memory")
set(CPACK_PACKAGE_DESCRIPTION "${PROJECT_DESCRIPTION}:
graphs, hash tables and queues over all processors of a cluster, for programs
in C++11. With libraries and headers, programs (searches, connected
components, PageRank) and a launcher.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)  # the programs; archives keep the lines that reports of failures show
set(CPACK_THREADS 0)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, cmake, ninja-build, pkgconf")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Directories as every package has them, whatever the umask of the build.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# A package for this very processor says so, and gives way to one for all.
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
if(GRAPPA_NATIVE)
  set(CPACK_DEBIAN_PACKAGE_RELEASE "1~native")
endif()

# Debian wants a list of a package's versions, and this is the first. SOURCE_DATE_EPOCH, if set, is
# the time in it.
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
