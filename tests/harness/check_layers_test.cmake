# Tests that check_layers detects violations: for each rule, a small tree that violates the rule and the
# expected sentence, and trees without a violation.
#
#   cmake -D CHECK=<check_layers.cmake> -D WORK=<directory> -P check_layers_test.cmake

set(failures 0)

# Runs the check on a tree with one file, which contains a comment and `line`.
function(expect file line sentence)
  file(REMOVE_RECURSE "${WORK}")
  file(WRITE "${WORK}/${file}" "// #include \"system/runtime/in_a_comment.hpp\"\n${line}\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -D "ROOT=${WORK}" -P "${CHECK}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(sentence STREQUAL "allowed")
    if(NOT status EQUAL 0)
      message("${file} with ${line} is allowed, but the check reports:\n${output}")
      math(EXPR failures "${failures} + 1")
    endif()
  else()
    string(FIND "${output}" "${file}:2: " at)
    string(FIND "${output}" "${sentence}" said)
    if(status EQUAL 0 OR at LESS 0 OR said LESS 0)
      message("${file} with ${line}: expected '${sentence}', but the check reports:\n${output}")
      math(EXPR failures "${failures} + 1")
    endif()
  endif()
  set(failures ${failures} PARENT_SCOPE)
endfunction()

# Includes of lower and higher layers.
expect(system/sync/a.hpp "#include \"system/tasking/task.hpp\"" "allowed")
expect(system/sync/a.hpp "#include \"system/sync/b.hpp\"" "allowed")
expect(system/sync/a.hpp "#include \"system/message/send.hpp\"" "only lower layers")
expect(system/base/a.cpp "  #  include \"system/observe/clock.hpp\"" "only lower layers")
expect(structures/global_set.hpp "#include \"system/parallel/forall.hpp\"" "allowed")
expect(system/parallel/a.hpp "#include \"structures/global_set.hpp\"" "only lower layers")
expect(structures/graph/csr.hpp "#include \"system/runtime/runtime.hpp\"" "only lower layers")
# Modules of one layer.
expect(system/tasking/a.hpp "#include \"system/net/transport.hpp\"" "must not include each other")
expect(structures/graph/csr.hpp "#include \"system/report/report.hpp\"" "must not include each other")
expect(system/report/a.cpp "#include \"system/failure/failure.hpp\"" "must not include each other")
# Umbrella headers and programs may include everything; the library must not include umbrella headers.
expect(system/Grappa.hpp "#include \"system/runtime/runtime.hpp\"" "allowed")
expect(system/compat/Delegate.hpp "#include \"system/global/delegate.hpp\"" "allowed")
expect(system/compat/Delegate.hpp "#include \"system/compat/names.hpp\"" "allowed")
expect(system/Grappa.hpp "#include \"system/compat/names.hpp\"" "for programs for the original Grappa")
expect(apps/hello/main.cpp "#include <Grappa.hpp>" "allowed")
expect(system/global/a.cpp "#include \"system/Grappa.hpp\"" "umbrella header")
expect(system/global/a.cpp "#include <Grappa.hpp>" "umbrella header")
# Modules that do not exist.
expect(system/sync/a.hpp "#include \"system/util/list.hpp\"" "there is no module util")
# Private headers.
expect(system/message/a.cpp "#include \"system/message/detail/run.hpp\"" "allowed")
expect(tests/message/a_test.cpp "#include \"system/message/detail/run.hpp\"" "allowed")
expect(system/global/a.hpp "#include \"system/message/detail/run.hpp\"" "private to message")
expect(apps/bfs/a.hpp "#include \"structures/detail/batch.hpp\"" "private to structures")
# External headers.
expect(system/net/mpi.cpp "#include <mpi.h>" "allowed")
expect(system/net/a.cpp "#include <mpi.h>" "included only in system/net/mpi.cpp")
expect(apps/bfs/a.cpp "#include <mpi.h>" "included only in system/net/mpi.cpp")
expect(bench/raw_mpi.cpp "#include <mpi.h>" "allowed")
expect(system/tasking/switch.cpp "#include <boost/context/detail/fcontext.hpp>" "allowed")
expect(system/tasking/a.cpp "#include <boost/context/fiber.hpp>" "system/tasking/switch.*")
expect(system/sync/a.cpp "#include <gflags/gflags.h>" "system/runtime, structures/combining.cpp and programs")
expect(system/net/a.cpp "#include <sys/mman.h>" "system/base/mapping.cpp")
expect(system/tasking/a.cpp "#include <csignal>" "included only in system/failure")
expect(system/net/mpi.cpp "#include <signal.h>" "allowed")
expect(system/base/check.cpp "#include <execinfo.h>" "included only in system/failure")
# Include paths that do not start at the root.
expect(system/sync/a.hpp "#include \"../tasking/task.hpp\"" "written from the root")
expect(system/sync/a.hpp "#include \"system/sync/../tasking/task.hpp\"" "written from the root")
expect(system/sync/a.hpp "#include \"mutex.hpp\"" "written from the root")
expect(system/sync/a.hpp "#include <system/sync/b.hpp>" "included in quotes")

file(REMOVE_RECURSE "${WORK}")
if(failures)
  message(FATAL_ERROR "the check gave a wrong result for ${failures} trees")
endif()
