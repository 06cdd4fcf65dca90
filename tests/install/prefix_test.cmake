# Installs the build into an empty prefix, builds outside/ against that, and runs it on two cores.

function(step what)
  execute_process(COMMAND ${ARGN}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message("${output}")
    message(FATAL_ERROR "${what} failed (${status})")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
step("installation"
  "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix")

# An archive that names places of the build would work here and nowhere else.
file(GLOB_RECURSE package "${WORK}/prefix/*.cmake")
foreach(file IN LISTS package)
  file(READ "${file}" text)
  string(FIND "${text}" "${BUILD}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file} names the directory of the build")
  endif()
endforeach()

# Moved, so that nothing may lean on the place it was installed to.
file(RENAME "${WORK}/prefix" "${WORK}/moved")
step("configuration of the outside project"
  "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/outside" -B "${WORK}/build" -G "${GENERATOR}"
  -D "CMAKE_CXX_COMPILER=${COMPILER}" -D "CMAKE_PREFIX_PATH=${WORK}/moved"
  -D CMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON)
step("build of the outside project"
  "${CMAKE_COMMAND}" --build "${WORK}/build")
step("run of the outside program"
  "${JOB}" -n 2 --shared "${WORK}/build/outside")
if(NOT output MATCHES "2 cores count 2")
  message(FATAL_ERROR "the outside program says:\n${output}")
endif()
file(REMOVE_RECURSE "${WORK}")
