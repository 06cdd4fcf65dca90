# grappa_abort_way(<way> <status> <pattern> [--all] [STACK <pattern>] [PROGRAM <name>] [NAME <name>]
#   [CORES <n>...] [<flag>...])
#
# Adds a test of a program that must fail with one report. A failure in a task occurs on the last core;
# with --all, and in main, all cores fail at the same time. STACK: a line below the first line of the
# report must also match. PROGRAM: default abort. NAME: the name of the test, default <way>. Without STACK,
# only the largest of several CORES has the label `default`.
function(grappa_abort_way way status says)
  cmake_parse_arguments(PARSE_ARGV 3 arg "--all" "STACK;PROGRAM;NAME" "CORES")
  set(stack)
  if(DEFINED arg_STACK)
    set(stack --stack "${arg_STACK}")
  endif()
  if(NOT DEFINED arg_CORES)
    set(arg_CORES 1 3)
  endif()
  if(NOT DEFINED arg_PROGRAM)
    set(arg_PROGRAM abort)
  endif()
  if(TARGET abort_${arg_PROGRAM})
    string(MAKE_C_IDENTIFIER "${way}" name)
    if(DEFINED arg_NAME)
      set(name ${arg_NAME})
    endif()
    set(flags ${arg_UNPARSED_ARGUMENTS})
    if(arg_--all)
      string(PREPEND name all.)
      list(APPEND flags --all)
    endif()
    set(usual ${arg_CORES})
    if(NOT DEFINED arg_STACK)
      list(GET arg_CORES -1 usual)
    endif()
    foreach(cores IN LISTS arg_CORES)
      set(job abort.${name}.n${cores})
      add_test(NAME ${job}
        COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/abort/one_report.sh" ${stack} ${status} "${says}"
          "${GRAPPA_JOB}" -n ${cores} --shared $<TARGET_FILE:abort_${arg_PROGRAM}> --way=${way} ${flags})
      grappa_label_job(${job} ${cores} "${usual}" default)
      set_tests_properties(${job} PROPERTIES TIMEOUT 60 PROCESSORS 2
        ENVIRONMENT "${grappa_job_environment}")
    endforeach()
  endif()
endfunction()
grappa_abort_test(abort abort.cpp STATUS 2 SAYS "^abort: file.el:7: .x. is no vertex$"
  ARGS --way=input_error LINK Threads::Threads
  SOURCES "${CMAKE_CURRENT_SOURCE_DIR}/abort/calls.cpp")
if(NOT GRAPPA_SANITIZE)
  set(core "^grappa: core [02] of [13]: ")  # the last core
  set(any "^grappa: core [012] of [13]: ")
  set(at " at /.*/abort.cpp:[0-9]+$")
  grappa_abort_way(range 2 "^abort: flag --way: out of range$")
  grappa_abort_way(input_error_of_one 2 "^abort: for one core$")
  grappa_abort_way(stack_overflow 139
    "${core}worker [0-9]+, running .*fail_in_tasks.*overflowed its stack of 262144 bytes.* --stack_bytes"
    STACK "^    @ 0x[0-9a-f]+ .*deep.*${at}")
  grappa_abort_way(handler_overflow 139
    "${core}worker [0-9]+, running .*break_rules.*overflowed its stack of 262144 bytes.* --stack_bytes")
  grappa_abort_way(packed_overflow 134
    "${core}.*worker [0-9]+, running .*overflowed its stack of 32768 bytes.* raise --stack_bytes"
    --stack_bytes=32768 --num_workers=5000)
  foreach(bytes 262144 16384)
    grappa_abort_way(large_frame 139
      "${core}worker [0-9]+, running .*overflowed its stack of ${bytes} bytes.* raise --stack_bytes"
      NAME large_frame_${bytes} STACK "step_over" --stack_bytes=${bytes})
  endforeach()
  grappa_abort_way(null 139 "${core}fatal signal 11 .Segmentation fault. at address .nil."
    STACK "break_rules_of_memory.*${at}")
  foreach(what global array)
    grappa_abort_way(null_${what} 139 "core 0 of [13]: a null GlobalAddress was used")
  endforeach()
  grappa_abort_way(null_call 139 "${core}fatal signal 11 .Segmentation fault. at address .nil."
    STACK "call_it.*${at}")
  # With a damaged heap, the report shows functions but no source lines.
  grappa_abort_way(heap_damaged 139 "${core}fatal signal 11 .*, raised by the program itself$"
    STACK "^    @ 0x[0-9a-f]+ .*fail_in_tasks")
  grappa_abort_way(double_free 134 "${any}.*global_free of .*was freed before")
  grappa_abort_way(no_such_core 134
    "${core}.*invalid core [13], the job has [13] cores: use a number from 0 to [02]")
  foreach(call call call_locked call_async call_async_locked call_blocking call_of_event
      call_suspendable call_future promise spawnRemote spawnRemote_of_event send_message
      send_heap_message send_payload send_completion broadcast make_global two_dimensional localize
      locale_of)
    grappa_abort_way(core_${call} 134 "${core}.*invalid core 458752, the job has 1 cores" CORES 1)
  endforeach()
  foreach(call call call_async make_global)
    grappa_abort_way(core_${call}- 134 "${core}.*invalid core -65536, the job has 1 cores" CORES 1)
  endforeach()
  foreach(call global_alloc symmetric_global_alloc locale_alloc locale_new_array memset
      memset_async memcpy memcpy_async prefix_sum array_str array_str_here iterate_local
      on_cores_localized_async allreduce_inplace send_message Incoherent)
    grappa_abort_way(count_${call} 134 "${core}.* of -5 elements: expected 0 or more" CORES 1)
  endforeach()
  foreach(call forall forall_elements forall_here forall_unbound)
    grappa_abort_way(count_${call} 134 "${core}.*invalid number of iterations -5, expected 0 or" CORES 1)
  endforeach()
  foreach(way loop_too_far loop_too_far_here loop_too_far_unbound)
    grappa_abort_way(${way} 134 "${core}.*a loop of 10 iterations from 9223372036854775805 on: sta"
      CORES 1)
  endforeach()
  grappa_abort_way(payload_suspends 134
    "${core}.*a body suspended while it read a payload in place.* spawn a task for the rest")
  grappa_abort_way(mutex_elsewhere 134
    "${any}.*a condition variable of core .*: one core must own both objects" CORES 3)

  grappa_abort_way(exception 134
    "${core}an exception left a task or a message: of the user's own making .std::runtime_error"
    STACK "end_otherwise.*${at}")
  foreach(call call call_at call_at_pointer call_locked increment call_future promise forall
      forall_here forall_unbound forall_elements forall_symmetric on_all_cores call_on_all_cores)
    grappa_abort_way(throw_${call} 134
      "${core}an exception left a task or a message: .*: exceptions do not cross a delegate, a loop"
      CORES 1)
  endforeach()
  grappa_abort_way(handler_exception 134
    "${core}an exception left a task or a message: of a message")
  grappa_abort_way(thread_exception 134
    "${core}an exception that is not a std::exception left a thread that is not the core's .int,")
  grappa_abort_way(noexcept 134 "${core}an exception .*: stopped .std::logic_error, .*noexcept")
  grappa_abort_way(terminate 134 "${core}std::terminate was called$")
  grappa_abort_way(check 134
    "${core}Check failed: 1 . 1 == 3 arithmetic holds  .abort.cpp:[0-9]+.$"
    STACK "end_otherwise.*${at}")
  grappa_abort_way(check_values 134
    "${core}Check failed: 1 . 1 == cores.. . 10 .2 vs. 1[13]. so many")
  grappa_abort_way(handler_check 134 "${core}Check failed: false in a message")
  grappa_abort_way(second_fault 134 "${core}Check failed: false the first"
    STACK "end_otherwise.*${at}")
  grappa_abort_way(forked 134 "${core}Check failed: .* the child exited normally")
  grappa_abort_way(log_fatal 134 "${core}the end  .abort.cpp:[0-9]+.$")
  grappa_abort_way(calls_abort 134 "${core}fatal signal 6 .Aborted., raised by the program itself$")
  grappa_abort_way(illegal 132 "${core}fatal signal 4 ")
  grappa_abort_way(bus 135 "${core}fatal signal 7 .*, raised by the program itself$")
  grappa_abort_way(exit_0 1 "${core}.*exit, with status 0 and without Grappa::finalize")
  grappa_abort_way(exit_3 3 "${core}.*exit, with status 3 and without Grappa::finalize")
  grappa_abort_way(quick_exit 1 "${core}.*quick_exit was called without Grappa::finalize")
  grappa_abort_way(vanish 1 "^grappa: core [02] exited with status 0 without Grappa::finalize$")
  grappa_abort_way(killed 137 "^grappa: core [02] was killed by signal 9 .SIGKILL.$")

  grappa_abort_way(run_in_run 134 "${core}.*Grappa::run inside of Grappa::run: spawn a task")
  grappa_abort_way(finalize_in_run 134
    "${core}.*Grappa::finalize inside of Grappa::run: call it in main")
  grappa_abort_way(run_on_one 134
    "${any}this core called Grappa::finalize, but another core called Grappa::run: " CORES 3)
  set(thread "${core}Grappa was called by another thread: only the thread that called ")
  foreach(call yields spawns sends delegates runs loops)
    grappa_abort_way(thread_${call} 139 "${thread}")
  endforeach()
  grappa_abort_way(init_twice 134 "${any}Grappa::init was called twice")
  grappa_abort_way(return_early 1 "${any}.*left main, .* status 0 and without Grappa::finalize")
  grappa_abort_way(return_early_5 5 "${any}.*left main, .* status 5 and without Grappa::finalize")
  foreach(call yield spawn send write loop finish barrier sleep)
    grappa_abort_way(before:${call} 139
      "^grappa: Grappa was called before Grappa::init: call init first")
    grappa_abort_way(after:${call} 139 "${any}Grappa was called after Grappa::finalize")
  endforeach()
  foreach(call run end_job finalize)
    grappa_abort_way(before:${call} 134 "^grappa: Grappa::${call} was called before Grappa::init")
    grappa_abort_way(after:${call} 134 "${any}Grappa::${call} was called after Grappa::finalize")
  endforeach()
  foreach(when outside after)
    grappa_abort_way(${when}:init 134 "${any}Grappa::init was called twice: a program has one job")
  endforeach()
  grappa_abort_way(outside:end_job 134
    "${any}.*end_job outside of a task: call it inside Grappa::run")
  foreach(call yield loop finish barrier lock wait sleep)
    grappa_abort_way(outside:${call} 134 "${any}.*call it inside Grappa::run")
  endforeach()
  # Inside run, these calls are local if the calling core owns the data.
  foreach(call delegate allocate read future promise combiner remote_lock copy)
    grappa_abort_way(outside:${call} 134 "${any}.*call it inside Grappa::run")
    grappa_abort_way(after:${call} 139 "${any}Grappa was called after Grappa::finalize")
  endforeach()
  foreach(call delegate cores mycore)
    grappa_abort_way(before:${call} 139
      "^grappa: Grappa was called before Grappa::init: call init first" CORES 1)
  endforeach()
  foreach(when before outside after)
    grappa_abort_way(${when}:throw 134 "^grappa: .*an exception left main: in main")
    grappa_abort_way(${when}:null 139 "^grappa: .*fatal signal 11 .* at address .nil.$")
  endforeach()
  grappa_abort_way(outside:check 134 "${any}Check failed: false in main")
  grappa_abort_way(after:check 134 "${any}Check failed: false in main")

  if(TARGET abort_abort)  # an orderly end without output
    foreach(way IN ITEMS "minus_1 255" "differently 5")
      separate_arguments(way)
      list(POP_FRONT way name)
      grappa_add_job(abort.end_job_${name} 3 EXPECT ${way} "^$"
        COMMAND $<TARGET_FILE:abort_abort> --way=end_job_${name})
      set_tests_properties(abort.end_job_${name} PROPERTIES LABELS default TIMEOUT 60)
    endforeach()
  endif()

  foreach(way IN ITEMS
      "check 134" "exception 134" "null 139" "exit_3 3" "stack_overflow 139" "log_fatal 134")
    separate_arguments(way)
    grappa_abort_way(${way} "${any}" --all)
  endforeach()

  if(TARGET abort_abort)
    foreach(way input_error check null exit_0 vanish killed)
      add_test(NAME abort.nothing_left.${way}
        COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/abort/nothing_left_test.sh"
          "$<TARGET_FILE:abort_abort>" "${GRAPPA_JOB}" --way=${way})
      set_tests_properties(abort.nothing_left.${way} PROPERTIES
        LABELS default TIMEOUT 60 PROCESSORS 2)
    endforeach()
    # malloc also prints a message.
    grappa_add_job(abort.heap_locked.n3 3 EXPECT 134 "^    @ 0x[0-9a-f]+ .*fail_in_tasks"
      COMMAND $<TARGET_FILE:abort_abort> --way=heap_locked)
    set_tests_properties(abort.heap_locked.n3 PROPERTIES LABELS default TIMEOUT 60)
  endif()

  grappa_abort_way(free_inside 134
    "global_free of .*bytes after the beginning of an allocation of .*: pass the address that")
  grappa_abort_way(free_local 134 "global_free of .*is memory of one core.*with locale_free")
  grappa_abort_way(memcpy_overlap 134
    "memcpy of 400 bytes from .*: the ranges overlap; copy through another array")
  grappa_abort_way(crossing_loop 134
    "elements of 8 bytes at <linear core 0, 0x.*>: some elements lie on two cores")
  grappa_abort_way(crossing_sum 134
    "elements of 24 bytes at <linear core 0, 0x.*>: some elements lie on two cores")
  grappa_abort_way(cache_released 134
    "access to a released cache: call start_acquire.. or reset.. before")
  grappa_abort_way(file_missing 2
    "^abort: /no/such/file: cannot be opened: No such file or directory$")
  grappa_abort_way(file_short 2
    "^abort: /proc/self/exe: has [0-9]+ bytes, expected an array of 800 bytes from byte 1099511627776 on")
  grappa_abort_way(locale_out_of_memory 134
    "locale_alloc of 1152921504606846976 objects of 8 bytes")
  grappa_abort_way(out_of_memory 134
    "global_alloc of 9007199254740992 bytes.*has [0-9]+ free, [0-9]+ of them .*raise --heap_bytes")
  if(TARGET abort_abort)  # a heap of 3 GB or more per core
    foreach(cores 1 3)
      add_test(NAME abort.heap_in_limited_space.n${cores}
        COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/abort/one_report.sh" 2
          "^abort: --heap_bytes: .* is [0-9]+ bytes, but its .* only [0-9]+ bytes free .ulimit -v, "
          bash -c "ulimit -v 2000000 && exec \"$@\"" bash "${GRAPPA_JOB}" -n ${cores} --shared
          $<TARGET_FILE:abort_abort> --way=exit_0 --heap_bytes=9000000000)
      set_tests_properties(abort.heap_in_limited_space.n${cores} PROPERTIES
        LABELS default TIMEOUT 60 PROCESSORS 2 ENVIRONMENT "${grappa_job_environment}")
    endforeach()
  endif()
  grappa_abort_way(unread_future 134
    "a future was destroyed before its answer was read: call get")
  grappa_abort_way(overwritten_future 134 "a future was assigned before its answer was read")
  grappa_abort_way(empty_future 134 "get.. or wait.. of an empty future")
  grappa_abort_way(moved_future 134 "get.. or wait.. of an empty future: it was moved from")
  grappa_abort_way(two_collectives 134
    "two tasks of one core are in a collective at the same time: one in barrier, the other calls barrier")
  grappa_abort_way(accumulated_late 134 "accumulate after finish: call reset first")
  grappa_abort_way(no_such_root 134 "invalid core [13], the job has [13] cores")
  grappa_abort_way(loop_without_n 134
    "forall over .linear .* has no number of elements: .* for an array, pass the number")
  grappa_abort_way(loop_over_local 134 "forall over .2D .*, an object of one core only: make it with")
  grappa_abort_way(reduce_local 134 "the object at 0x.* exists on this core only: an operation")

  # The last core calls `its` as its third collective, and the other cores call `theirs`. The report names
  # the two cores whose calls first meet, in the order of their arrival.
  function(grappa_abort_disagreement way its theirs)
    set(last "core 2 calls ${its}")
    set(first "core [01] calls ${theirs}")
    set(third " as its 3rd collective, ")
    foreach(flag IN ITEMS --cores_per_locale=0 --cores_per_locale=1 --cores_per_locale=2)
      grappa_add_job(abort.${way}${flag} 3
        EXPECT 134 "${last}${third}${first}|${first}${third}${last}"
        COMMAND $<TARGET_FILE:abort_abort> --way=${way} ${flag})
      set_tests_properties(abort.${way}${flag} PROPERTIES LABELS default TIMEOUT 60)
    endforeach()
  endfunction()
  set(sum "allreduce of 8 bytes with Grappa::collective_add<long.*>")
  grappa_abort_disagreement(other_collective "${sum}" "barrier")
  grappa_abort_disagreement(other_type "allgather of 8 bytes .double."
    "allgather of 8 bytes .long.*")
  grappa_abort_disagreement(other_operation "${sum}" "allreduce of 8 bytes with .*negative_or")
  grappa_abort_disagreement(other_length "allreduce of 5000 times 8 bytes with .*collective_max<long.*>"
    "allreduce of 5001 times 8 bytes with .*collective_max<long.*>")
  grappa_abort_disagreement(other_root "broadcast of 4 bytes .int. from core 1"
    "broadcast of 4 bytes .int. from core 0")

  if(TARGET abort_abort)  # needs several cores: a call to the own core sends no message
    grappa_add_job(abort.large_answer.n3 3
      EXPECT 134 "20004 bytes, but a message buffer holds only 16288: raise --buffer_bytes to 20160"
      COMMAND $<TARGET_FILE:abort_abort> --way=large_answer --buffer_bytes=16384)
    set_tests_properties(abort.large_answer.n3 PROPERTIES LABELS default TIMEOUT 60)
  endif()

  grappa_abort_test(abort tables.cpp STATUS 2 SAYS "unknown flag --no_such" ARGS --no_such=1)
  set(any_core "^grappa: core [0-2] of [13]: ")
  grappa_abort_way(table_for_less_than_none 134 "${any_core}.*invalid capacity hint of -1 keys"
    PROGRAM tables)
  grappa_abort_way(table_out_of_memory 134
    "${any_core}.*no memory for [0-9]+ cells of 24 bytes.* a smaller capacity hint"
    PROGRAM tables)
  grappa_abort_way(table_grows_too_large 134
    "${any_core}.*no memory for [0-9]+ cells of 1016 bytes .*has [0-9]+ elements: use"
    PROGRAM tables --heap_bytes=67108864)
  grappa_abort_way(table_changed_in_loop 134
    "${any_core}.*a global set or map was changed while a loop over it was running"
    PROGRAM tables)

  grappa_abort_way(same_metric 134 "two metrics are called twins: give one of them another name")
  grappa_abort_way(metrics_in_another_order 134
    "cores have different metrics, or have them in another order: define them at file scope" CORES 3)
  grappa_abort_way(metrics_path 2
    "^abort: metrics cannot be written to \"/nowhere/at/all.json\": No such file or directory$")
  grappa_abort_way(event_completed_too_often 134
    "completed more often on core [02] than enrolled there: by 3 with 2 enrolled")
  grappa_abort_way(event_completed_elsewhere 134
    "completed more often on core 0 than enrolled there: by 2 with [01] enrolled.*send_completion")
  grappa_abort_way(locale_memory_freed_twice 134
    "locale_free of 0x[0-9a-f]+, which is not allocated: it was freed before, or locale_alloc ")
  grappa_abort_way(element_on_two_cores 134
    "the element of 24 bytes at linear offset [0-9]+ lies in several blocks, from core [0-3] to core")
  grappa_abort_way(event_waits_for_itself 134
    "waits for that event, and so for itself: wait outside")
  grappa_abort_way(event_on_a_stack 134
    "a global completion event at 0x.* make it a file-scope object of the program")

  grappa_abort_test(abort endless.cpp STATUS 2 SAYS "unknown flag --no_such" ARGS --no_such=1)
  # The error must be reported at the start of the job, because this program runs forever.
  foreach(flag report_json trace)
    grappa_add_job(abort.no_such_${flag} 3
      EXPECT 2 "^endless: flag --${flag}: ./nowhere/at/all. cannot be written: No such file or directory$"
      COMMAND $<TARGET_FILE:abort_endless> --${flag}=/nowhere/at/all)
    set_tests_properties(abort.no_such_${flag} PROPERTIES LABELS default TIMEOUT 60)
  endforeach()
  foreach(flag IN ITEMS --cores_per_locale=0 --cores_per_locale=2)
    add_test(NAME abort.kill${flag}
      COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/abort/kill_test.sh"
        core KILL "$<TARGET_FILE:abort_endless>" "${GRAPPA_JOB}" ${flag})
    set_tests_properties(abort.kill${flag} PROPERTIES LABELS default TIMEOUT 60 PROCESSORS 2)
  endforeach()
  foreach(signal IN ITEMS INT TERM HUP KILL)
    add_test(NAME abort.signal.${signal}
      COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/abort/kill_test.sh"
        launcher ${signal} "$<TARGET_FILE:abort_endless>" "${GRAPPA_JOB}")
    set_tests_properties(abort.signal.${signal} PROPERTIES LABELS default TIMEOUT 60 PROCESSORS 2)
  endforeach()

  # Deadlocks, and jobs that must not be reported as deadlocked.
  grappa_abort_test(abort deadlock.cpp STATUS 2 SAYS "flag --way: no such way")
  function(grappa_deadlock_way way)
    foreach(conditions IN ITEMS "n1" "n2" "n3" "n8" "starved.n3;--buffers_per_core=1;--ring_entries=1;--num_workers=4;--buffer_bytes=16384"
        "mpi.n3;--cores_per_locale=1" "two_hop.n4;--cores_per_locale=2;--routing=two_hop")
      list(POP_FRONT conditions name)
      string(REGEX REPLACE ".*n" "" cores "${name}")
      add_test(NAME abort.deadlock.${way}.${name}
        COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/abort/deadlock_test.sh" "${GRAPPA_JOB}" ${cores}
          "$<TARGET_FILE:abort_deadlock>" --way=${way} ${conditions} -- ${ARGN})
      # 8 cores take the paths of 2 cores, and two_hop.n4 takes those of mpi.
      set(label default)
      if(name MATCHES "^(n2|mpi[.]n3)$")
        set(label stress)
      endif()
      set_tests_properties(abort.deadlock.${way}.${name} PROPERTIES
        LABELS ${label} TIMEOUT 60 PROCESSORS 2)
    endforeach()
  endfunction()
  grappa_deadlock_way(lock_cycle_of_two "  1  the mutex at 0x" "deadlock.cpp:[0-9]+$")
  grappa_deadlock_way(lock_cycle_of_three "  1  the mutex at 0x"
    "the end of the finish scope at 0x.*, units of open work: [0-9]+")
  grappa_deadlock_way(full_empty "^ +0 +1  the FullEmpty at 0x.* to be full"
    "full_empty.*deadlock.cpp:[0-9]+$")
  grappa_deadlock_way(remote_full_empty "  1  the FullEmpty at 0x.* to be full")
  grappa_deadlock_way(scope "  1  the completion event at 0x"
    "  1  the end of the finish scope at 0x.*, units of open work: 1")
  grappa_deadlock_way(loop "the FullEmpty at 0x.* to be full" "deadlock.cpp:[0-9]+$")
  grappa_deadlock_way(global_event "  1  the global completion event at 0x.*, 1 open on this core")
  grappa_deadlock_way(semaphore "  1  units of the semaphore at 0x")
  foreach(cores 1 3)
    add_test(NAME abort.live_table.n${cores}
      COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/abort/live_table_test.sh"
        "$<TARGET_FILE:abort_deadlock>" "${GRAPPA_JOB}" ${cores})
    set_tests_properties(abort.live_table.n${cores} PROPERTIES
      LABELS default TIMEOUT 60 PROCESSORS 2)
  endforeach()
  foreach(cores 1 3)
    add_test(NAME abort.live_table.spinner.n${cores}
      COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/abort/spinner_test.sh"
        "$<TARGET_FILE:abort_deadlock>" "${GRAPPA_JOB}" ${cores})
    set_tests_properties(abort.live_table.spinner.n${cores} PROPERTIES
      LABELS default TIMEOUT 60 PROCESSORS 2)
  endforeach()
  # Without the launcher: the launcher makes cores ignore the signal until they handle it.
  add_test(NAME abort.live_table.signal_in_init
    COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/harness/expect.sh" 0 "what the workers wait for"
      $<TARGET_FILE:abort_deadlock> --way=signal_in_init)
  set_tests_properties(abort.live_table.signal_in_init PROPERTIES LABELS default TIMEOUT 60)
  add_test(NAME abort.live_table.busy.n3
    COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/abort/live_table_test.sh"
      "$<TARGET_FILE:abort_deadlock>" "${GRAPPA_JOB}" 3 --busy)
  set_tests_properties(abort.live_table.busy.n3 PROPERTIES
    LABELS default TIMEOUT 60 PROCESSORS 2)
  foreach(cores 2 3 8)
    math(EXPR last "${cores} - 1")
    add_test(NAME abort.deadlock.barrier_without_last.n${cores}
      COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/abort/deadlock_test.sh" "${GRAPPA_JOB}" ${cores}
        "$<TARGET_FILE:abort_deadlock>" --way=barrier_without_last --
        "^ +0 +1  the other cores in barrier, after 0 completed collectives$"
        "^Missing in barrier, after 0 completed collectives: core ${last}$")
    set_tests_properties(abort.deadlock.barrier_without_last.n${cores} PROPERTIES
      LABELS default TIMEOUT 60 PROCESSORS 2)
  endforeach()
  foreach(cores 1 2 8)
    grappa_add_job(abort.deadlock.long_computation.n${cores} ${cores} EXPECT 0 "^$"
      COMMAND $<TARGET_FILE:abort_deadlock> --way=long_computation --seconds=1)
    set_tests_properties(abort.deadlock.long_computation.n${cores} PROPERTIES
      LABELS default TIMEOUT 60)
  endforeach()
  grappa_add_job(abort.deadlock.minute 3 EXPECT 0 "^$"
    COMMAND $<TARGET_FILE:abort_deadlock> --way=long_computation --seconds=60)
  set_tests_properties(abort.deadlock.minute PROPERTIES LABELS stress TIMEOUT 240)
endif()
