# Failures in global structures and graphs, in tests/abort/structures.cpp. ways.cmake defines the functions
# and patterns.
grappa_abort_test(abort structures.cpp STATUS 2
  SAYS "^structures: --combining: invalid value .often., expected none, centralized or distributed$"
  ARGS --way=default_mode --combining=often)
if(NOT GRAPPA_SANITIZE)
  grappa_abort_way(empty_stack 134 "${core}.*pop from an empty GlobalStack: use try_pop"
    STACK " at /.*/structures.cpp:[0-9]+$" PROGRAM structures)
  grappa_abort_way(empty_queue 134 "${core}.*pop from an empty GlobalQueue: use try_pop"
    PROGRAM structures)
  grappa_abort_way(loop_over_no_array 134
    "${core}.*forall over .*, which is not an address of the global heap" PROGRAM structures)
  grappa_abort_way(sum_over_no_array 134
    "${core}.*a reduction over .*, which is not an address of the global heap" PROGRAM structures)
  grappa_abort_way(visit_of_no_array 134
    "${core}.*on_cores_localized_async over .*, which is not an address of the global heap"
    PROGRAM structures)
  grappa_abort_way(combiner_of_none 134
    "${core}.*FetchAddCombiner: invalid threshold 0, expected 1 or more" PROGRAM structures)
  grappa_abort_way(promise_given_twice 134
    "${core}.*a promise was assigned a second value while its call is pending: call get.. before"
    PROGRAM structures CORES 3)
  grappa_abort_way(future_ends 134
    "${core}.*a future was destroyed while a task waits for it: keep it until get.. has returned"
    PROGRAM structures CORES 3)
  grappa_abort_way(future_moves 134
    "${core}.*a future was moved while a task waits for it: do not move it until get.. has returned"
    PROGRAM structures CORES 3)
  grappa_abort_way(future_of_two 134
    "${core}.*two tasks wait for one future: use a future for each task" PROGRAM structures CORES 3)
  grappa_abort_way(negative_hint 134 "${core}.*invalid capacity hint of -1 elements" PROGRAM structures)
  grappa_abort_way(negative_count 134 "${core}.*try_pop of -1 elements" PROGRAM structures)
  grappa_abort_way(suspending_argument 134
    "${core}.*a request was made to a proxy whose commit has started: if computing the arguments"
    PROGRAM structures)
  grappa_abort_way(destroyed_in_use 134
    "destroyed while operations on it were in progress" PROGRAM structures CORES 3)
  grappa_abort_way(queue_out_of_memory 134 "${core}.*the kernel refuses to map [0-9]+ bytes"
    PROGRAM structures)
  grappa_abort_way(element_too_long 134
    "${core}.*an element of 1048577 bytes: elements of a global queue have at most 1048576 bytes"
    PROGRAM structures)
  grappa_abort_way(array_of_less_than_none 134 "${core}.*GlobalArray::create of -1 elements"
    PROGRAM structures)
  grappa_abort_way(array_out_of_memory 134 "global_alloc of 9007199254740992 bytes.*raise --heap_bytes"
    PROGRAM structures)
  grappa_abort_way(bag_of_less_than_none 134 "${core}.*GlobalBag: invalid capacity hint of -1 elements"
    PROGRAM structures)
  grappa_abort_way(bag_out_of_memory 134
    "GlobalBag: this core has no memory for [0-9]+ more elements of 8 bytes: run the job with more"
    PROGRAM structures)
  grappa_abort_way(push_before_setup 134
    "${core}.*push to a PushBuffer without an array: call setup on each core" PROGRAM structures)
  grappa_abort_way(setup_before_flush 134
    "${core}.*setup of a PushBuffer with 2 values that are not yet in their array: flush it first"
    PROGRAM structures)
  grappa_abort_way(vector_of_less_than_none 134 "${core}.*invalid capacity hint of -1 elements"
    PROGRAM structures)
  foreach(combining none centralized distributed)
    foreach(call pop dequeue)
      grappa_abort_way(vector_${call} 134
        "${core}.*${call} from an empty GlobalVector: use try_${call} if it may be empty"
        PROGRAM structures NAME vector_${call}.${combining} --combining=${combining})
    endforeach()
  endforeach()
  foreach(call front back)
    grappa_abort_way(vector_${call} 134
      "${core}.*${call} of an empty GlobalVector: call empty.. first"
      PROGRAM structures)
  endforeach()
  grappa_abort_way(outside_of_tasks 134
    "${any_core}.*this call waits, and only a task can wait: call it inside Grappa::run"
    PROGRAM structures)
  grappa_abort_way(edge_of_no_vertex 134 "${core}.*edge 2 3 in a graph of 3 vertices"
    PROGRAM structures)
  grappa_abort_way(edge_below_all 134 "${core}.*edge 2 -1 in a graph of 3 vertices"
    PROGRAM structures)
  grappa_abort_way(graph_too_large 134
    "${core}.*invalid graph of 1152921504606846976 vertices, expected 0 to 2.58 " PROGRAM structures)
  grappa_abort_way(data_without_attributes 134
    "${core}.*the edges have no attributes: load them with Attributes::Keep" PROGRAM structures)
  grappa_abort_way(data_of_other_edges 134
    "${any_core}.*the edge from [02] to [02] is not in the graph: give the list of edges from which"
    PROGRAM structures)
  grappa_abort_way(data_of_larger_graph 134
    "${core}.*the edges are those of a graph of 1000000 vertices, but this one has 3" PROGRAM structures)
  grappa_abort_way(too_few_attributes 134 "${core}.*1 attributes for 2 edges" PROGRAM structures)
  grappa_abort_way(neighbours_elsewhere 134
    "${core}.*serial_for on core 2 over the neighbours of a vertex of core 0: run it on"
    PROGRAM structures CORES 3)
  grappa_abort_way(vector_element 134 "${core}.*element 2 of a GlobalVector of 2 elements"
    PROGRAM structures)
  grappa_abort_way(vector_element_below 134 "${core}.*element -1 of a GlobalVector of 2 elements"
    PROGRAM structures)
endif()
