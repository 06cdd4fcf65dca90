# How tests are built and registered with ctest. Tests live in tests/<room>/<file>_test.cpp.
#
# Labels: `default` for what `./grappa test` runs, `stress` for what it leaves out, and asan, ubsan,
# tsan for tests that are worth running under that sanitizer too. A build with a sanitizer contains
# only the tests that carry its label (with two, either label), so that it stays quick.

include(ProcessorCount)
ProcessorCount(grappa_processors)
if(grappa_processors EQUAL 0)
  set(grappa_processors 1)
endif()

# Starts jobs.
set(GRAPPA_JOB "$<TARGET_FILE:grappa_launcher>")

# grappa_test_settings(<target>)
#
# Tests are compiled far more often than they run long: with little optimisation, and with the lines
# for stack traces only, they compile in half the time. What they test is compiled as ever.
function(grappa_test_settings target)
  grappa_program_settings(${target})
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug" OR GRAPPA_SANITIZE)
    target_compile_options(${target} PRIVATE -O1 -g1)
  endif()
endfunction()

add_library(grappa_unit_main OBJECT "${PROJECT_SOURCE_DIR}/tests/harness/unit_main.cpp")
grappa_test_settings(grappa_unit_main)
target_link_libraries(grappa_unit_main PUBLIC Grappa::base GTest::gtest)

add_library(grappa_job_main OBJECT EXCLUDE_FROM_ALL
  "${PROJECT_SOURCE_DIR}/tests/harness/job_main.cpp")
grappa_test_settings(grappa_job_main)
target_link_libraries(grappa_job_main PUBLIC Grappa::Grappa GTest::gtest)

# Open MPI keeps memory until exit; leaks of jobs are counted by tests of the components instead.
# Jobs run in checked mode.
set(grappa_test_environment "UBSAN_OPTIONS=print_stacktrace=1")
set(grappa_job_environment
  "${grappa_test_environment};ASAN_OPTIONS=detect_leaks=0;GRAPPA_CHECK=1")

# Sets `result` to whether this build has the tests with these labels, and adds default or stress.
function(grappa_select_labels labels_variable result)
  set(labels "${${labels_variable}}")
  if(NOT "stress" IN_LIST labels)
    list(APPEND labels default)
  endif()
  set(${labels_variable} "${labels}" PARENT_SCOPE)
  set(selected TRUE)
  if(grappa_sanitizer_labels)
    set(selected FALSE)
    foreach(label IN LISTS grappa_sanitizer_labels)
      if(label IN_LIST labels)
        set(selected TRUE)
      endif()
    endforeach()
  endif()
  set(${result} ${selected} PARENT_SCOPE)
endfunction()

# Leaves of several numbers of cores one under a sanitizer, 3 or else the largest: what is wrong with
# memory is wrong on any, and such a build takes long.
function(grappa_select_cores cores_variable)
  set(cores "${${cores_variable}}")
  if(grappa_sanitizer_labels)
    if(3 IN_LIST cores)
      set(cores 3)
    else()
      list(GET cores -1 cores)
    endif()
  endif()
  set(${cores_variable} "${cores}" PARENT_SCOPE)
endfunction()

# Sets `result` to the numbers of cores on which the default set runs a job test under a
# condition, or under none; on the others it runs under `stress`. Under a condition this is the
# largest number, which has all that smaller ones have. Under none, where 1 has no peers and odd
# numbers divide otherwise, only the powers of two are one kind: the largest stands for 2, 4 and
# 8. (A sanitizer has one number anyway.)
#
# two_hop has 8 processes, so outside of the room message, whose subject it is, it is left to
# `stress` where two_hop_starved is among the conditions too.
function(grappa_default_cores result room condition cores conditions)
  if(condition STREQUAL "none")
    set(powers "${cores}")
    list(FILTER powers INCLUDE REGEX "^(2|4|8)$")
    list(POP_BACK powers)
    if(powers)
      list(REMOVE_ITEM cores ${powers})
    endif()
  elseif(condition STREQUAL "two_hop" AND "two_hop_starved" IN_LIST conditions
      AND NOT room STREQUAL "message" AND NOT grappa_sanitizer_labels)
    set(cores)
  else()
    list(GET cores -1 cores)
  endif()
  set(${result} "${cores}" PARENT_SCOPE)
endfunction()

# Labels one of the jobs of a test, whose labels are given: a job on a number of cores that the
# default set leaves out has `stress` and nothing else.
function(grappa_label_job name cores default_cores labels)
  if(NOT cores IN_LIST default_cores)
    set(labels stress)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}")
endfunction()

# grappa_unit_test(<room> <file>_test.cpp
#   [SOURCES <file>...] [CORES <n>... [BOTH_WORLDS]] [LINK <library>...]
#   [ARGS <argument>...] [LABELS <label>...] [TIMEOUT <s>])
#
# A test without the runtime. It links its room, hence what that room may see, and nothing above: a
# room that reaches upwards fails here, at link time. With CORES, so many processes run it in step,
# started by mpirun: for the rooms below the runtime that speak to other cores. With BOTH_WORLDS also
# without MPI: shm.<room>.<file>.n<cores>. Tests of programs name
# `apps` or `bench` for the room, and the SOURCES that they test.
function(grappa_unit_test room file)
  set(below Grappa::${room})
  if(NOT room IN_LIST GRAPPA_ROOMS)
    set(below Grappa::Grappa)
  endif()
  grappa_test(60 ${room} ${file} ${ARGN} MAIN grappa_unit_main ${below})
endfunction()

# The same jobs again under conditions in which slow paths run, by name.
# starved: one buffer, the smallest rings, four workers. still: cores ask whether the job is
# deadlocked whenever they have nothing to do. mpi: each core a locale of its own, so that
# all messages go through MPI. locales: two cores to a locale, both links at once. two_hop: messages to
# another locale are passed on there. two_hop_starved: the same between locales of different sizes,
# as starved as above, so that buffers are parked.
set(grappa_variant_starved CORES 2 3 ARGS
  --buffers_per_core=1 --ring_entries=1 --num_workers=4 --buffer_bytes=16384)
set(grappa_variant_still CORES 2 3 8 ARGS --deadlock_check_ms=0)
set(grappa_variant_mpi CORES 2 3 ARGS --cores_per_locale=1)
set(grappa_variant_locales CORES 4 ARGS
  --cores_per_locale=2 --buffers_per_core=2 --num_workers=4)
set(grappa_variant_two_hop CORES 8 ARGS --cores_per_locale=4 --routing=two_hop)
set(grappa_variant_two_hop_starved CORES 6 ARGS --cores_per_locale=4 --routing=two_hop
  --buffers_per_core=1 --ring_entries=1 --num_workers=4 --buffer_bytes=16384)

# grappa_job_test(<room> <file>_test.cpp
#   [CORES <n>...]        default: 1 2 3 4
#   [VARIANTS <name>...]  also under these conditions: <name>.<room>.<file>.n<cores>
#   [SOURCES <file>...] [LINK <library>...] [ARGS <argument>...] [LABELS <label>...] [TIMEOUT <s>])
#
# A test that runs as a job, once with each number of cores: <room>.<file>.n<cores>. The TESTs run
# in the main task; a failure on any core fails the job.
function(grappa_job_test room file)
  if(NOT "CORES" IN_LIST ARGN)
    list(APPEND ARGN CORES 1 2 3 4)
  endif()
  grappa_test(120 ${room} ${file} ${ARGN} MAIN grappa_job_main)
endfunction()

# grappa_abort_test(<folder> <file>.cpp STATUS <n> SAYS <pattern>
#   [CORES <n>...]        default: 1 2 3 4
#   [SOURCES <file>...] [LINK <library>...] [ARGS <argument>...] [LABELS <label>...] [TIMEOUT <s>])
#
# A program with a main of its own that must end with this status and say something that matches the
# extended regular expression.
function(grappa_abort_test folder file)
  if(NOT "STATUS" IN_LIST ARGN OR NOT "SAYS" IN_LIST ARGN)
    message(FATAL_ERROR "grappa_abort_test(${file}): needs STATUS and SAYS")
  endif()
  if(NOT "CORES" IN_LIST ARGN)
    list(APPEND ARGN CORES 1 2 3 4)
  endif()
  grappa_test(60 ${folder} ${file} ${ARGN} MAIN Grappa::Grappa)
endfunction()

# grappa_fuzz_test(<name> [LABELS <label>...])
#
# tests/fuzz/<name>_fuzz.cpp, a function that takes any bytes, which the driver calls with mutations
# of valid ones: fuzz.<name> for a second, and fuzz.<name>.minute for a minute, labelled `stress`.
function(grappa_fuzz_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LABELS")
  grappa_select_labels(arg_LABELS selected)
  if(NOT selected)
    return()
  endif()
  set(target fuzz_${name})
  add_executable(${target} "${PROJECT_SOURCE_DIR}/tests/fuzz/${name}_fuzz.cpp"
    "${PROJECT_SOURCE_DIR}/tests/fuzz/driver.cpp")
  grappa_test_settings(${target})
  target_link_libraries(${target} PRIVATE Grappa::Grappa)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name}_fuzz RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/fuzz")
  add_test(NAME fuzz.${name} COMMAND ${target} --seconds=1)
  set_tests_properties(fuzz.${name} PROPERTIES
    LABELS "${arg_LABELS}" TIMEOUT 60 ENVIRONMENT "${grappa_test_environment}")
  add_test(NAME fuzz.${name}.minute COMMAND ${target} --seconds=60)
  set_tests_properties(fuzz.${name}.minute PROPERTIES
    LABELS stress TIMEOUT 300 ENVIRONMENT "${grappa_test_environment}")
endfunction()

# What these have in common. A test is <room>.<file> to ctest, and its executable is in
# tests/<room>/ of the build. A file in a folder of its room carries that too: structures.graph.csr.
function(grappa_test default_timeout room file)
  cmake_parse_arguments(PARSE_ARGV 3 arg "BOTH_WORLDS" "TIMEOUT;STATUS;SAYS" 
    "SOURCES;CORES;VARIANTS;LINK;ARGS;LABELS;MAIN")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "test ${room}/${file}: what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  grappa_select_labels(arg_LABELS selected)
  if(NOT selected)
    return()
  endif()
  if(NOT DEFINED arg_TIMEOUT)
    set(arg_TIMEOUT ${default_timeout})
  endif()

  get_filename_component(stem "${file}" NAME_WE)
  get_filename_component(folder "${room}/${file}" DIRECTORY)
  string(REPLACE "/" "_" target "${folder}/${stem}")
  string(REPLACE "/" "." name "${folder}/${stem}")
  string(REGEX REPLACE "_test$" "" name "${name}")
  add_executable(${target} "${PROJECT_SOURCE_DIR}/tests/${room}/${file}" ${arg_SOURCES})
  if(DEFINED arg_STATUS)
    grappa_program_settings(${target})  # its stack is what is tested
  else()
    grappa_test_settings(${target})
  endif()
  target_link_libraries(${target} PRIVATE ${arg_MAIN} ${arg_LINK})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${stem} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/${folder}")

  set(expect)
  if(DEFINED arg_STATUS)
    set(expect EXPECT "${arg_STATUS}" "${arg_SAYS}")
  endif()
  set(mpi)
  if("grappa_unit_main" IN_LIST arg_MAIN)
    set(mpi MPI)
  endif()
  if(DEFINED arg_CORES)
    grappa_select_cores(arg_CORES)
    grappa_default_cores(usual ${room} none "${arg_CORES}" "")
    foreach(cores IN LISTS arg_CORES)
      grappa_add_job(${name}.n${cores} ${cores} ${mpi} ${expect}
        COMMAND "$<TARGET_FILE:${target}>" ${arg_ARGS})
      grappa_label_job(${name}.n${cores} ${cores} "${usual}" "${arg_LABELS}")
      set_tests_properties(${name}.n${cores} PROPERTIES TIMEOUT ${arg_TIMEOUT})
      if(arg_BOTH_WORLDS)
        grappa_add_job(shm.${name}.n${cores} ${cores}
          COMMAND "$<TARGET_FILE:${target}>" ${arg_ARGS})
        grappa_label_job(shm.${name}.n${cores} ${cores} "${usual}" "${arg_LABELS}")
        set_tests_properties(shm.${name}.n${cores} PROPERTIES TIMEOUT ${arg_TIMEOUT})
      endif()
    endforeach()
    foreach(variant IN LISTS arg_VARIANTS)
      cmake_parse_arguments(variant "" "" "CORES;ARGS" ${grappa_variant_${variant}})
      grappa_select_cores(variant_CORES)
      grappa_default_cores(usual ${room} ${variant} "${variant_CORES}" "${arg_VARIANTS}")
      foreach(cores IN LISTS variant_CORES)
        set(job ${variant}.${name}.n${cores})
        grappa_add_job(${job} ${cores} ${expect}
          COMMAND "$<TARGET_FILE:${target}>" ${arg_ARGS} ${variant_ARGS})
        grappa_label_job(${job} ${cores} "${usual}" "${arg_LABELS}")
        set_tests_properties(${job} PROPERTIES TIMEOUT ${arg_TIMEOUT})
        if(variant STREQUAL "two_hop_starved")
          # Many steps in a row, each of which waits for processes that share a processor: 3 s alone,
          # 100 s beside four programs that compute. So these run alone.
          math(EXPR all_places "2 * ${grappa_processors}")
          set_tests_properties(${job} PROPERTIES PROCESSORS ${all_places} TIMEOUT 300)
        endif()
      endforeach()
    endforeach()
  else()
    add_test(NAME ${name} COMMAND ${target} ${arg_ARGS})
    set_tests_properties(${name} PROPERTIES
      LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${grappa_test_environment}")
  endif()
endfunction()

# grappa_add_job(<name> <cores> [MPI] [EXPECT <status> <pattern>] COMMAND <program> [<argument>...])
#
# A ctest test that is one job, and that occupies as many of ctest's places as it has cores. MPI: it
# is started by mpirun, so that its World is MPI's.
function(grappa_add_job name cores)
  cmake_parse_arguments(PARSE_ARGV 2 arg "MPI" "" "EXPECT;COMMAND")
  set(world)
  if(arg_MPI)
    set(world --world=mpi)
  endif()
  set(expect)
  if(DEFINED arg_EXPECT)
    set(expect "${PROJECT_SOURCE_DIR}/tests/harness/expect.sh" ${arg_EXPECT})
  endif()
  add_test(NAME ${name} COMMAND ${expect} "${GRAPPA_JOB}" -n ${cores} --shared ${world} ${arg_COMMAND})
  if(cores LESS grappa_processors)
    set(processors ${cores})
  else()
    set(processors ${grappa_processors})
  endif()
  set_tests_properties(${name} PROPERTIES
    PROCESSORS ${processors} ENVIRONMENT "${grappa_job_environment}")
endfunction()

# grappa_model_test(<model> [NAME <name>] [ENDS] [DEFINES <name>[=<value>]...] [MUTANTS <name>...])
#
# Checks tests/models/<model>.pml exhaustively, with these DEFINES: models.<model>[.<name>]. With
# ENDS also that no execution goes on for ever. Of each mutant, the model with MUTANT and
# MUTANT_<name> defined too, the check must find an error: models.<model>[.<name>].<mutant>. Each
# is compiled in its own folder when it runs. With a name, which is for other sizes of a model,
# what must hold takes long and is left to `stress`; what must end is not, nor are mutants, in
# which errors are found at once.
function(grappa_model_test model)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ENDS" "NAME" "DEFINES;MUTANTS")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "grappa_model_test(${model}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  set(name models.${model})
  if(DEFINED arg_NAME)
    string(APPEND name .${arg_NAME})
  endif()
  set(wanted holds)
  if(arg_ENDS)
    set(wanted ends)
  endif()
  grappa_add_model(${name} ${wanted} ${model} ${arg_DEFINES})
  if(DEFINED arg_NAME AND NOT arg_ENDS)
    set_tests_properties(${name} PROPERTIES LABELS stress)
  endif()
  foreach(mutant IN LISTS arg_MUTANTS)
    string(TOLOWER "${mutant}" suffix)
    grappa_add_model(${name}.${suffix} fails ${model} ${arg_DEFINES} MUTANT MUTANT_${mutant})
  endforeach()
endfunction()

function(grappa_add_model name wanted model)
  add_test(NAME ${name}
    COMMAND "${PROJECT_SOURCE_DIR}/tests/models/model_test.sh" ${wanted} "${GRAPPA_SPIN}"
      "${CMAKE_CXX_COMPILER}" "${PROJECT_SOURCE_DIR}/tests/models/${model}.pml"
      "${PROJECT_BINARY_DIR}/tests/models/${name}" ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS default TIMEOUT 300)
endfunction()
