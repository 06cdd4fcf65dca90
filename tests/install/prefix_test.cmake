# Installs the build into an empty prefix, and looks at what does not depend on a program.

file(REMOVE_RECURSE "${PREFIX}" "${PREFIX}.before")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}.before"
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the installation failed (${status}):\n${output}")
endif()

# What names places of the build would work here and nowhere else.
file(GLOB_RECURSE package "${PREFIX}.before/*.cmake" "${PREFIX}.before/*.pc"
  "${PREFIX}.before/bin/*")
foreach(file IN LISTS package)
  file(READ "${file}" text)
  foreach(place IN ITEMS "${BUILD}" "${PREFIX}.before")
    string(FIND "${text}" "${place}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${file} names ${place}")
    endif()
  endforeach()
endforeach()

# Moved, so that nothing may lean on the place it was installed to.
file(RENAME "${PREFIX}.before" "${PREFIX}")
