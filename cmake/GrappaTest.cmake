# Functions that build tests and register them with ctest. Tests are in tests/<module>/<file>_test.cpp.
#
# Labels: `./grappa test` runs tests with the label `default` and skips tests with the label `stress`. The
# labels asan, ubsan and tsan select tests that also run under these sanitizers. To save time, a sanitizer
# build contains only the tests with its label; a build with two sanitizers, the tests with either label.
# Tests with the label `unit` are unit tests of this kind that need no second run: `./grappa test` builds and
# runs these under the sanitizers only. `./grappa test --quick` runs the tests with the label `quick`: unit
# tests, fuzz tests, scripts of `harness` that need no build, and jobs on 3 cores without a condition.

include(ProcessorCount)
ProcessorCount(grappa_processors)
if(grappa_processors EQUAL 0)
  set(grappa_processors 1)
endif()

set(GRAPPA_JOB "$<TARGET_FILE:grappa_launcher>")

# Builds the programs of all tests, also those that the target `all` leaves out.
add_custom_target(grappa_tests DEPENDS grappa_launcher)

# grappa_test_settings(<target>)
#
# Tests are compiled without optimisation, because most tests take longer to compile than to run: g++ -O0
# takes two thirds of the time of g++ -O1, and half the time of g++ -O3. The library under test is compiled
# as usual. Debug information consists of line numbers. An optional argument replaces -O0.
function(grappa_test_settings target)
  grappa_program_settings(${target})
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_options(${target} PRIVATE -O0 ${ARGN} -g1)
  endif()
endfunction()

# Compiles a test with the precompiled headers of its main: parsing headers takes half of the compile time
# of many tests.
function(grappa_precompile_test target)
  if(NOT BUILD_SHARED_LIBS)
    target_precompile_headers(${target} ${ARGN})
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS OFF)
  endif()
endfunction()

add_library(grappa_unit_main OBJECT "${PROJECT_SOURCE_DIR}/tests/harness/unit_main.cpp")
grappa_test_settings(grappa_unit_main)
target_link_libraries(grappa_unit_main PUBLIC Grappa::base GTest::gtest)
grappa_precompile_test(grappa_unit_main PRIVATE
  <gtest/gtest.h> <glog/logging.h> <algorithm> <atomic> <fstream> <functional> <map> <sstream> <string> <vector>)

# The job tests of the modules in grappa_optimised_modules are compiled with -O1. Those of message and parallel
# count messages, whose size and number depend on optimisation. Those of global and apps compute for longer
# than they compile.
set(grappa_optimised_modules message global parallel apps)
foreach(main grappa_job_main grappa_optimised_job_main)
  add_library(${main} OBJECT EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/tests/harness/job_main.cpp")
  target_link_libraries(${main} PUBLIC Grappa::Grappa GTest::gtest)
  grappa_precompile_test(${main} PRIVATE <gtest/gtest.h> <system/Grappa.hpp>)
endforeach()
grappa_test_settings(grappa_job_main)
grappa_test_settings(grappa_optimised_job_main -O1)

# Sets `result` to the main of the job tests of a module.
function(grappa_select_job_main module result)
  set(${result} grappa_job_main PARENT_SCOPE)
  if(module IN_LIST grappa_optimised_modules)
    set(${result} grappa_optimised_job_main PARENT_SCOPE)
  endif()
endfunction()

# Open MPI keeps memory until exit, so leak detection is off in jobs; tests of single components check for
# leaks. Jobs run in checked mode, except with clang++, which cannot clear the padding of closures.
set(grappa_checked_mode 1)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(grappa_checked_mode 0)
endif()
set(grappa_test_environment "UBSAN_OPTIONS=print_stacktrace=1")
set(grappa_job_environment
  "${grappa_test_environment};ASAN_OPTIONS=detect_leaks=0;GRAPPA_CHECK=${grappa_checked_mode}")

# Sets `result` to true if this build contains tests with these labels. Adds the label `default` to tests
# without the label `stress`.
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

# Under a sanitizer, only the modules that implement communication run under the conditions below: structures
# and programs use it through these modules, and their jobs take minutes there. The jobs of the condition
# locales execute the code of mpi, and those of three_hop_starved all code of two_hop except the choice of the
# relaying core, so a test with both conditions runs under only one of them.
set(grappa_modules_under_sanitizers message global parallel)

# Jobs of these modules use memory through modules below, whose own jobs remain. They take a third of the time
# of a build with two sanitizers, which `./grappa test` makes. That build leaves them out; they run in the
# builds asan and ubsan.
set(grappa_modules_with_one_sanitizer apps compat report)

# Under a sanitizer, keeps one number of cores: 3, or else the largest. A memory error occurs on any number
# of cores, and sanitizer builds are slow.
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

# Sets `result` to the numbers of cores on which a job test runs with the label `default`; its other jobs
# get the label `stress`. Under a condition, the default is the largest number, because its job also takes
# the paths of smaller jobs. Without a condition ("none"), 2, 4 and 8 cores are equivalent and only the
# largest of them is a default; 1 core has no peers, and odd numbers divide work differently.
#
# The condition two_hop needs 8 processes. Outside the module message, which implements it, its job is
# labelled `stress` if three_hop_starved is among the conditions, too. Likewise mpi, outside the modules that
# implement communication, if locales is among the conditions.
function(grappa_default_cores result module condition cores conditions)
  if(condition STREQUAL "none")
    set(powers "${cores}")
    list(FILTER powers INCLUDE REGEX "^(2|4|8)$")
    list(POP_BACK powers)
    if(powers)
      list(REMOVE_ITEM cores ${powers})
    endif()
  elseif(condition STREQUAL "two_hop" AND "three_hop_starved" IN_LIST conditions
      AND NOT module STREQUAL "message" AND NOT grappa_sanitizer_labels)
    set(cores)
  elseif(condition STREQUAL "mpi" AND "locales" IN_LIST conditions
      AND NOT module IN_LIST grappa_modules_under_sanitizers)
    set(cores)
  else()
    list(GET cores -1 cores)
  endif()
  set(${result} "${cores}" PARENT_SCOPE)
endfunction()

# Labels one job of a test. A job on a default number of cores gets `labels`; any other job gets only
# `stress`.
function(grappa_label_job name cores default_cores labels)
  if(NOT cores IN_LIST default_cores)
    set(labels stress)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}")
endfunction()

# grappa_unit_test(<module> <file>_test.cpp
#   [SOURCES <file>...] [CORES <n>... [BOTH_WORLDS]] [LINK <library>...]
#   [ARGS <argument>...] [LABELS <label>...] [TIMEOUT <s>] [OPTIMISED])
#
# Adds a test without the runtime. The test links its module and the lower layers only: if the module uses
# a symbol of a higher layer, linking fails. With CORES, mpirun starts that many processes, which run the
# test in step; this is for modules below the runtime that communicate. With BOTH_WORLDS, the test also
# runs without MPI, as shm.<module>.<file>.n<cores>. A test of a program has `apps` or `bench` as its
# module, and names the SOURCES under test. OPTIMISED: parts of the test need an optimised build without
# sanitizers. `./grappa test` also runs the test in the release build, and `./grappa test --quick` does not.
function(grappa_unit_test module file)
  set(below Grappa::${module})
  if(NOT module IN_LIST GRAPPA_MODULES)
    set(below Grappa::Grappa)
  endif()
  grappa_test(60 ${module} ${file} ${ARGN} MAIN grappa_unit_main ${below})
endfunction()

# Conditions that exercise slow paths. A test with VARIANTS also runs under these conditions:
#   starved          one buffer, the smallest rings, four workers
#   quiescent        idle cores check for deadlock all the time
#   mpi              each core is a locale, so all messages use MPI
#   locales          two cores per locale, so both links are in use
#   two_hop          a core in the destination locale forwards messages from other locales
#   two_hop_starved  two_hop with locales of different sizes and starved, so buffers are parked
#   three_hop_starved  also gateways forward messages, with three locales and starved
set(grappa_variant_starved CORES 2 3 ARGS
  --buffers_per_core=1 --ring_entries=1 --num_workers=4 --buffer_bytes=16384)
set(grappa_variant_quiescent CORES 2 3 8 ARGS --deadlock_check_ms=0)
set(grappa_variant_mpi CORES 2 3 ARGS --cores_per_locale=1)
set(grappa_variant_locales CORES 4 ARGS
  --cores_per_locale=2 --buffers_per_core=2 --num_workers=4)
set(grappa_variant_two_hop CORES 8 ARGS --cores_per_locale=4 --routing=two_hop)
set(grappa_variant_two_hop_starved CORES 6 ARGS --cores_per_locale=4 --routing=two_hop
  --buffers_per_core=1 --ring_entries=1 --num_workers=4 --buffer_bytes=16384)
set(grappa_variant_three_hop_starved CORES 6 ARGS --cores_per_locale=2 --routing=three_hop
  --buffers_per_core=1 --ring_entries=1 --num_workers=4 --buffer_bytes=16384)

# grappa_job_test(<module> <file>_test.cpp
#   [CORES <n>...]        default: 1 2 3 4
#   [VARIANTS <name>...]  also under these conditions: <name>.<module>.<file>.n<cores>
#   [SOURCES <file>...] [LINK <library>...] [ARGS <argument>...] [LABELS <label>...] [TIMEOUT <s>]
#   [ALONE])
#
# Adds a test that runs as a job, once for each number of cores: <module>.<file>.n<cores>. The TESTs run
# in the main task. A failure on any core fails the job.
#
# The files of the modules in grappa_joined_modules form one program, <module>_jobs, except files with
# SOURCES or LINK, and files that are ALONE. The flag --only selects the TESTs of some files. mpirun takes a
# second to start a job, so one job runs all these files under a condition that needs mpirun:
# <condition>.<module>[.<argument>...].n<cores>.
function(grappa_job_test module file)
  if(NOT "CORES" IN_LIST ARGN)
    list(APPEND ARGN CORES 1 2 3 4)
  endif()
  grappa_select_job_main(${module} main)
  grappa_test(120 ${module} ${file} ${ARGN} MAIN ${main})
endfunction()

set(grappa_joined_modules message global parallel structures)
set(grappa_mpirun_variants mpi locales two_hop two_hop_starved three_hop_starved)

# Adds a file to a job that runs several files of a module under one condition.
function(grappa_join_job variant module file cores default_cores labels)
  if(NOT cores IN_LIST default_cores)
    set(labels stress)
  endif()
  list(JOIN ARGN "." args)
  string(REPLACE "--" "" args "${args}")
  set(job ${variant}.${module})
  if(ARGN)
    string(APPEND job .${args})
  endif()
  string(APPEND job .n${cores})
  if(labels STREQUAL "stress")
    string(APPEND job .stress)
  endif()
  set_property(GLOBAL APPEND PROPERTY GRAPPA_JOINED_JOBS ${job})
  set_property(GLOBAL PROPERTY ${job}_CALL ${module} ${cores} ${variant} ${ARGN})
  set_property(GLOBAL APPEND PROPERTY ${job}_FILES ${file})
  set_property(GLOBAL APPEND PROPERTY ${job}_LABELS ${labels})
endfunction()

# Creates the programs <module>_jobs and the jobs of several files. Called after all tests were added.
function(grappa_finish_job_tests)
  foreach(module IN LISTS grappa_joined_modules)
    get_property(sources GLOBAL PROPERTY GRAPPA_JOINED_SOURCES_${module})
    if(sources)
      grappa_select_job_main(${module} main)
      grappa_test_program(${module}_jobs ${main} "" ${sources})
      set_target_properties(${module}_jobs PROPERTIES
        OUTPUT_NAME jobs RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/${module}")
    endif()
  endforeach()
  get_property(jobs GLOBAL PROPERTY GRAPPA_JOINED_JOBS)
  list(REMOVE_DUPLICATES jobs)
  foreach(job IN LISTS jobs)
    get_property(call GLOBAL PROPERTY ${job}_CALL)
    list(POP_FRONT call module cores variant)
    get_property(files GLOBAL PROPERTY ${job}_FILES)
    list(JOIN files "," files)
    get_property(labels GLOBAL PROPERTY ${job}_LABELS)
    list(REMOVE_DUPLICATES labels)
    cmake_parse_arguments(variant "" "" "CORES;ARGS" ${grappa_variant_${variant}})
    grappa_add_job(${job} ${cores}
      COMMAND "$<TARGET_FILE:${module}_jobs>" --only=${files} ${call} ${variant_ARGS})
    set_tests_properties(${job} PROPERTIES LABELS "${labels}" TIMEOUT 600)
    grappa_occupy_processors(${job} ${variant})
  endforeach()
endfunction()

# Under a condition, a job has many sequential steps, and each step waits for processes that share a processor. It
# therefore runs alone: a job that relays takes 3 s alone, but 100 s beside four busy programs, and the job of all
# structures on two locales takes 1 minute alone, but up to 7 minutes beside another job. With few buffers or two
# locales, a job may take twenty minutes, because compilers outside of the tests may run at the same time.
function(grappa_occupy_processors job variant)
  math(EXPR all_places "2 * ${grappa_processors}")
  set_tests_properties(${job} PROPERTIES PROCESSORS ${all_places})
  if(variant MATCHES "hop_starved$")
    set_tests_properties(${job} PROPERTIES TIMEOUT 900)
  elseif(variant MATCHES "^(starved|locales)$")
    set_tests_properties(${job} PROPERTIES TIMEOUT 1200)
  endif()
endfunction()

# grappa_abort_test(<folder> <file>.cpp STATUS <n> SAYS <pattern>
#   [CORES <n>...]        default: 1 2 3 4
#   [SOURCES <file>...] [LINK <library>...] [ARGS <argument>...] [LABELS <label>...] [TIMEOUT <s>])
#
# Adds a program with its own main. The job must exit with STATUS, and its output must match the extended
# regular expression SAYS.
function(grappa_abort_test folder file)
  if(NOT "STATUS" IN_LIST ARGN OR NOT "SAYS" IN_LIST ARGN)
    message(FATAL_ERROR "grappa_abort_test(${file}): STATUS and SAYS are required")
  endif()
  if(NOT "CORES" IN_LIST ARGN)
    list(APPEND ARGN CORES 1 2 3 4)
  endif()
  grappa_test(60 ${folder} ${file} ${ARGN} MAIN Grappa::Grappa)
endfunction()

# grappa_fuzz_test(<name> [LABELS <label>...])
#
# Adds a fuzz test: tests/fuzz/<name>_fuzz.cpp has a function that accepts any bytes, and the driver calls
# this function with mutated valid inputs. fuzz.<name> runs for a second; fuzz.<name>.minute runs for a
# minute and has the label `stress`.
function(grappa_fuzz_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LABELS")
  grappa_select_labels(arg_LABELS selected)
  if(NOT selected)
    return()
  endif()
  set(target fuzz_${name})
  add_executable(${target} EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/tests/fuzz/${name}_fuzz.cpp"
    "${PROJECT_SOURCE_DIR}/tests/fuzz/driver.cpp" "${PROJECT_SOURCE_DIR}/tests/fuzz/mutate.cpp")
  add_dependencies(grappa_tests ${target})
  grappa_test_settings(${target})
  target_link_libraries(${target} PRIVATE Grappa::Grappa)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name}_fuzz RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/fuzz")
  add_test(NAME fuzz.${name} COMMAND ${target} --seconds=1)
  set_tests_properties(fuzz.${name} PROPERTIES
    LABELS "${arg_LABELS};quick;unit" TIMEOUT 60 ENVIRONMENT "${grappa_test_environment}")
  add_test(NAME fuzz.${name}.minute COMMAND ${target} --seconds=60)
  set_tests_properties(fuzz.${name}.minute PROPERTIES
    LABELS stress TIMEOUT 300 ENVIRONMENT "${grappa_test_environment}")
endfunction()

# grappa_job_fuzz_test(<name> [SOURCES <source>...] [LABELS <label>...])
#
# Adds a fuzz test that is a job on 3 cores: tests/fuzz/<name>_fuzz.cpp has the function check_input of
# job_fuzz.hpp. fuzz.<name> runs for a second; fuzz.<name>.minute runs for a minute and has the label
# `stress`. The inputs are made with -O1, because this takes longer than to compile it.
function(grappa_job_fuzz_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LABELS")
  grappa_select_labels(arg_LABELS selected)
  if(NOT selected)
    return()
  endif()
  set(target fuzz_${name})
  set(folder "${PROJECT_SOURCE_DIR}/tests/fuzz")
  add_executable(${target} EXCLUDE_FROM_ALL "${folder}/${name}_fuzz.cpp" ${arg_SOURCES}
    "${folder}/job_driver.cpp" "${folder}/mutate.cpp" "${folder}/serial_text.cpp")
  add_dependencies(grappa_tests ${target})
  grappa_test_settings(${target} -O1)
  target_link_libraries(${target} PRIVATE Grappa::Grappa ZLIB::ZLIB zstd::zstd GTest::gtest)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name}_fuzz RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/fuzz")
  set(job "${folder}/job_fuzz_test.sh" "${GRAPPA_JOB}" 3 "$<TARGET_FILE:${target}>")
  add_test(NAME fuzz.${name} COMMAND ${job} --seconds=1)
  set_tests_properties(fuzz.${name} PROPERTIES
    LABELS "${arg_LABELS};unit" TIMEOUT 120 ENVIRONMENT "${grappa_job_environment}")
  add_test(NAME fuzz.${name}.minute COMMAND ${job} --seconds=60)
  set_tests_properties(fuzz.${name}.minute PROPERTIES
    LABELS stress TIMEOUT 300 ENVIRONMENT "${grappa_job_environment}")
  if(grappa_processors GREATER 1)
    set_tests_properties(fuzz.${name} fuzz.${name}.minute PROPERTIES PROCESSORS 2)
  endif()
endfunction()

# grappa_reuse_apps(<sources> <link>)
#
# Replaces the sources of programs under apps/ in the variable <sources> by libraries in the variable <link>, if the
# build contains the programs. Otherwise, each test compiles these sources again.
function(grappa_reuse_apps sources link)
  set(remaining)
  set(libraries "${${link}}")
  foreach(source IN LISTS ${sources})
    set(library)
    if(source MATCHES "/apps/common/[^/]+$")
      set(library grappa_apps)
    elseif(source MATCHES "/apps/([^/]+)/[^/]+$")
      set(library grappa_app_${CMAKE_MATCH_1})
    endif()
    if(library AND TARGET ${library})
      list(APPEND libraries ${library})
    else()
      list(APPEND remaining "${source}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES libraries)
  set(${sources} "${remaining}" PARENT_SCOPE)
  set(${link} "${libraries}" PARENT_SCOPE)
endfunction()

# Creates a test program. The libraries in `link` come before those of `main`: the include folder of
# Grappa::compat must be the first.
function(grappa_test_program target main link)
  add_executable(${target} ${ARGN})
  add_dependencies(grappa_tests ${target})
  list(GET main 0 main_object)
  if(main_object STREQUAL "grappa_optimised_job_main")
    grappa_test_settings(${target} -O1)
  else()
    grappa_test_settings(${target})
  endif()
  grappa_precompile_test(${target} REUSE_FROM ${main_object})
  target_link_libraries(${target} PRIVATE ${link} ${main})
endfunction()

# The common part of the functions above. ctest names a test <module>.<file>, and its executable is in
# tests/<module>/ of the build. The name includes a folder inside the module: structures.graph.csr.
function(grappa_test default_timeout module file)
  cmake_parse_arguments(PARSE_ARGV 3 arg "BOTH_WORLDS;ALONE;OPTIMISED" "TIMEOUT;STATUS;SAYS"
    "SOURCES;CORES;VARIANTS;LINK;ARGS;LABELS;MAIN")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "test ${module}/${file}: unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  grappa_select_labels(arg_LABELS selected)
  list(LENGTH grappa_sanitizer_labels sanitizers)
  if(sanitizers GREATER 1 AND module IN_LIST grappa_modules_with_one_sanitizer
      AND NOT "grappa_unit_main" IN_LIST arg_MAIN)
    set(selected FALSE)
  endif()
  if(NOT selected)
    return()
  endif()
  if(NOT DEFINED arg_TIMEOUT)
    set(arg_TIMEOUT ${default_timeout})
  endif()

  get_filename_component(stem "${file}" NAME_WE)
  get_filename_component(folder "${module}/${file}" DIRECTORY)
  string(REPLACE "/" "_" target "${folder}/${stem}")
  string(REPLACE "/" "." name "${folder}/${stem}")
  string(REGEX REPLACE "_test$" "" name "${name}")
  set(source "${PROJECT_SOURCE_DIR}/tests/${module}/${file}")
  grappa_reuse_apps(arg_SOURCES arg_LINK)
  set(joined FALSE)
  if(arg_MAIN MATCHES "job_main$" AND module IN_LIST grappa_joined_modules
      AND NOT arg_SOURCES AND NOT arg_LINK AND NOT arg_ALONE)
    set(joined TRUE)
    set(target ${module}_jobs)
    set(own_args ${arg_ARGS})
    list(PREPEND arg_ARGS --only=${file})
    set_property(GLOBAL APPEND PROPERTY GRAPPA_JOINED_SOURCES_${module} "${source}")
  elseif(DEFINED arg_STATUS)
    add_executable(${target} "${source}" ${arg_SOURCES})
    add_dependencies(grappa_tests ${target})
    grappa_program_settings(${target})  # the test checks the stack of the program
    target_link_libraries(${target} PRIVATE ${arg_LINK} ${arg_MAIN})
  else()
    grappa_test_program(${target} "${arg_MAIN}" "${arg_LINK}" "${source}" ${arg_SOURCES})
  endif()
  if(NOT joined)
    set_target_properties(${target} PROPERTIES
      OUTPUT_NAME ${stem} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/${folder}")
  endif()

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
    grappa_default_cores(usual ${module} none "${arg_CORES}" "")
    foreach(cores IN LISTS arg_CORES)
      set(labels "${arg_LABELS}")
      if(cores EQUAL 3 AND NOT "stress" IN_LIST labels)
        list(APPEND labels quick)
      endif()
      grappa_add_job(${name}.n${cores} ${cores} ${mpi} ${expect}
        COMMAND "$<TARGET_FILE:${target}>" ${arg_ARGS})
      grappa_label_job(${name}.n${cores} ${cores} "${usual}" "${labels}")
      set_tests_properties(${name}.n${cores} PROPERTIES TIMEOUT ${arg_TIMEOUT})
      if(arg_BOTH_WORLDS)
        grappa_add_job(shm.${name}.n${cores} ${cores}
          COMMAND "$<TARGET_FILE:${target}>" ${arg_ARGS})
        grappa_label_job(shm.${name}.n${cores} ${cores} "${usual}" "${labels}")
        set_tests_properties(shm.${name}.n${cores} PROPERTIES TIMEOUT ${arg_TIMEOUT})
      endif()
    endforeach()
    if(grappa_sanitizer_labels)
      if(NOT module IN_LIST grappa_modules_under_sanitizers)
        set(arg_VARIANTS)
      endif()
      if("locales" IN_LIST arg_VARIANTS)
        list(REMOVE_ITEM arg_VARIANTS mpi)
      endif()
      if("three_hop_starved" IN_LIST arg_VARIANTS OR "two_hop_starved" IN_LIST arg_VARIANTS)
        list(REMOVE_ITEM arg_VARIANTS two_hop)
      endif()
    endif()
    foreach(variant IN LISTS arg_VARIANTS)
      cmake_parse_arguments(variant "" "" "CORES;ARGS" ${grappa_variant_${variant}})
      grappa_select_cores(variant_CORES)
      grappa_default_cores(usual ${module} ${variant} "${variant_CORES}" "${arg_VARIANTS}")
      foreach(cores IN LISTS variant_CORES)
        if(joined AND variant IN_LIST grappa_mpirun_variants)
          grappa_join_job(${variant} ${module} ${file} ${cores} "${usual}" "${arg_LABELS}" ${own_args})
          continue()
        endif()
        set(job ${variant}.${name}.n${cores})
        grappa_add_job(${job} ${cores} ${expect}
          COMMAND "$<TARGET_FILE:${target}>" ${arg_ARGS} ${variant_ARGS})
        grappa_label_job(${job} ${cores} "${usual}" "${arg_LABELS}")
        set_tests_properties(${job} PROPERTIES TIMEOUT ${arg_TIMEOUT})
        grappa_occupy_processors(${job} ${variant})
      endforeach()
    endforeach()
  else()
    if(NOT "stress" IN_LIST arg_LABELS AND NOT arg_OPTIMISED)
      list(APPEND arg_LABELS quick)
    endif()
    if(NOT arg_OPTIMISED AND arg_LABELS MATCHES "asan|ubsan")
      list(APPEND arg_LABELS unit)
      set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    endif()
    add_test(NAME ${name} COMMAND ${target} ${arg_ARGS})
    set_tests_properties(${name} PROPERTIES
      LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${grappa_test_environment}")
  endif()
endfunction()

# grappa_add_job(<name> <cores> [MPI] [EXPECT <status> <pattern>] COMMAND <program> [<argument>...])
#
# Adds a ctest test that is one job. The job occupies as many slots of ctest as it has cores. MPI: mpirun
# starts the job, which then uses the MPI World.
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
# Adds the test models.<model>[.<name>], which checks tests/models/<model>.pml exhaustively with DEFINES.
# With ENDS, the test also checks that every execution terminates. For each mutant, adds the test
# models.<model>[.<name>].<mutant>, which defines MUTANT and MUTANT_<mutant> and must find an error. Each
# test compiles its model in its own folder. NAME is for other sizes of a model: without ENDS such a test
# takes long and has the label `stress`. Tests with ENDS and mutants are fast.
function(grappa_model_test model)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ENDS" "NAME" "DEFINES;MUTANTS")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "grappa_model_test(${model}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
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
