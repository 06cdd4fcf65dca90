# Failures with payloads and entries of variable length, in tests/abort/payloads.cpp. ways.cmake defines
# the functions and patterns.
set(suspended "a body suspended while it read a payload in place, or an entry of a structure")
grappa_abort_test(abort payloads.cpp STATUS 134 SAYS "${suspended}" ARGS --way=view_in_async_call)
if(NOT GRAPPA_SANITIZE)
  foreach(way view_of_payload view_of_large_payload update_suspends visit_suspends
      update_of_number_suspends visit_of_number_suspends async_update_suspends
      update_of_list_suspends insert_suspends)
    grappa_abort_way(${way} 134 "${core}.*${suspended}" PROGRAM payloads)
  endforeach()
  foreach(way loop_suspends filter_suspends)  # bodies that run on every core that has a key
    grappa_abort_way(${way} 134 "${any}.*${suspended}" PROGRAM payloads)
  endforeach()
  grappa_abort_way(serialize_before_text 134 "core [0-9].*Serialize<.*Reading>::read has left 8 bytes of the value"
    PROGRAM payloads CORES 3)
  grappa_abort_way(value_left_unread 134 "core [0-9].*Serialize<.*Reading>::read has left 8 bytes of the value"
    PROGRAM payloads CORES 3)
  grappa_abort_way(answer_too_large 134
    "${core}.*the answer of a delegate has 200[0-9]+ bytes, but a message buffer holds only 16288"
    --buffer_bytes=16384 PROGRAM payloads CORES 3)
  grappa_abort_way(update_changes_its_map 134
    "${core}.*a body that runs on an entry of a global set or map changed the same set or map"
    PROGRAM payloads)
  grappa_abort_way(long_key 134
    "${core}.*a key of 1048577 bytes: keys of a global set or map have at most 1048576 bytes"
    PROGRAM payloads)
  foreach(way long_key_of_update long_key_of_list)
    grappa_abort_way(${way} 134
      "${core}.*a key of 1048577 bytes: keys of a global set or map have at most 1048576 bytes"
      PROGRAM payloads)
  endforeach()
  grappa_abort_way(long_key_of_sum 134
    "${core}.*a key of 1048580 bytes: keys of a global set or map have at most 1048576 bytes"
    PROGRAM payloads)
endif()
