# Installs the build into an empty prefix, and checks that the installation is relocatable.

file(REMOVE_RECURSE "${PREFIX}" "${PREFIX}.before")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}.before"
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the installation failed (${status}):\n${output}")
endif()

# Installed files must not contain paths of the build or of the prefix.
file(GLOB_RECURSE package "${PREFIX}.before/*.cmake" "${PREFIX}.before/*.pc"
  "${PREFIX}.before/bin/*")
foreach(file IN LISTS package)
  file(READ "${file}" text)
  foreach(place IN ITEMS "${BUILD}" "${PREFIX}.before")
    string(FIND "${text}" "${place}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${file} contains the path ${place}")
    endif()
  endforeach()
endforeach()

# Moves the installation: the other tests then detect a dependency on the original prefix.
file(RENAME "${PREFIX}.before" "${PREFIX}")
