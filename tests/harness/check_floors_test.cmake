# check_floors must be seen to fail: for each rule, a small tree that breaks it and the sentence that
# has to come; and one tree in which everything is allowed.
#
#   cmake -D CHECK=<check_floors.cmake> -D WORK=<directory> -P check_floors_test.cmake

set(failures 0)

# Runs the check on a tree of one file, which consists of one line after a comment.
function(expect file line sentence)
  file(REMOVE_RECURSE "${WORK}")
  file(WRITE "${WORK}/${file}" "// #include \"system/runtime/in_a_comment.hpp\"\n${line}\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -D "ROOT=${WORK}" -P "${CHECK}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(sentence STREQUAL "allowed")
    if(NOT status EQUAL 0)
      message("${file} with ${line} is allowed, but the check says:\n${output}")
      math(EXPR failures "${failures} + 1")
    endif()
  else()
    string(FIND "${output}" "${file}:2: " at)
    string(FIND "${output}" "${sentence}" said)
    if(status EQUAL 0 OR at LESS 0 OR said LESS 0)
      message("${file} with ${line} should give '${sentence}', but the check says:\n${output}")
      math(EXPR failures "${failures} + 1")
    endif()
  endif()
  set(failures ${failures} PARENT_SCOPE)
endfunction()

# Stairs go down only.
expect(system/sync/a.hpp "#include \"system/tasking/task.hpp\"" "allowed")
expect(system/sync/a.hpp "#include \"system/sync/b.hpp\"" "allowed")
expect(system/sync/a.hpp "#include \"system/message/send.hpp\"" "stairs go down only")
expect(system/base/a.cpp "  #  include \"system/observe/clock.hpp\"" "stairs go down only")
expect(structures/global_set.hpp "#include \"system/parallel/forall.hpp\"" "allowed")
expect(system/parallel/a.hpp "#include \"structures/global_set.hpp\"" "stairs go down only")
# Rooms on one floor.
expect(system/tasking/a.hpp "#include \"system/net/transport.hpp\"" "do not see each other")
expect(structures/graph/csr.hpp "#include \"system/runtime/runtime.hpp\"" "do not see each other")
# Front doors and programs see everything; the library does not see the front doors.
expect(system/Grappa.hpp "#include \"system/runtime/runtime.hpp\"" "allowed")
expect(system/compat/Delegate.hpp "#include \"system/global/delegate.hpp\"" "allowed")
expect(apps/hello/main.cpp "#include <Grappa.hpp>" "allowed")
expect(system/global/a.cpp "#include \"system/Grappa.hpp\"" "front door")
expect(system/global/a.cpp "#include <Grappa.hpp>" "front door")
# Rooms that do not exist.
expect(system/sync/a.hpp "#include \"system/util/list.hpp\"" "there is no room util")
# Private parts.
expect(system/message/a.cpp "#include \"system/message/detail/run.hpp\"" "allowed")
expect(tests/message/a_test.cpp "#include \"system/message/detail/run.hpp\"" "allowed")
expect(system/global/a.hpp "#include \"system/message/detail/run.hpp\"" "private to message")
expect(apps/bfs/a.hpp "#include \"structures/detail/batch.hpp\"" "private to structures")
# Foreign doors.
expect(system/net/mpi_library.hpp "#include <mpi.h>" "allowed")
expect(system/net/a.cpp "#include <mpi.h>" "included only in system/net/mpi_library.hpp")
expect(apps/bfs/a.cpp "#include <mpi.h>" "included only in system/net/mpi_library.hpp")
expect(bench/raw_mpi.cpp "#include <mpi.h>" "allowed")
expect(system/tasking/switch.cpp "#include <boost/context/detail/fcontext.hpp>" "allowed")
expect(system/tasking/a.cpp "#include <boost/context/fiber.hpp>" "system/tasking/switch.*")
expect(system/sync/a.cpp "#include <gflags/gflags.h>" "system/runtime, structures/combining.cpp, structures/detail/known_keys.cpp and programs")
expect(system/net/a.cpp "#include <sys/mman.h>" "system/base/mapping.cpp")
expect(system/tasking/a.cpp "#include <csignal>" "included only in system/runtime")
expect(system/net/late_event.cpp "#include <signal.h>" "allowed")
expect(system/base/check.cpp "#include <execinfo.h>" "included only in system/runtime")
# Written from the root.
expect(system/sync/a.hpp "#include \"../tasking/task.hpp\"" "written from the root")
expect(system/sync/a.hpp "#include \"system/sync/../tasking/task.hpp\"" "written from the root")
expect(system/sync/a.hpp "#include \"mutex.hpp\"" "written from the root")
expect(system/sync/a.hpp "#include <system/sync/b.hpp>" "included in quotes")

file(REMOVE_RECURSE "${WORK}")
if(failures)
  message(FATAL_ERROR "${failures} of the trees were judged wrongly")
endif()
