# Failures with payloads and entries of variable length, in tests/abort/payloads.cpp. ways.cmake defines
# the functions and patterns.
set(suspended "a body suspended while it read a payload in a message buffer, or an entry of a structure")
grappa_abort_test(abort payloads.cpp STATUS 134 SAYS "${suspended}" ARGS --way=view_in_async_call)
if(NOT GRAPPA_SANITIZE)
  foreach(way view_of_payload view_of_large_payload visit_suspends)
    grappa_abort_way(${way} 134 "${core}.*${suspended}" PROGRAM payloads)
  endforeach()
  grappa_abort_way(long_key 134
    "${core}.*a key of 1048577 bytes: keys of a global set or map have at most 1048576 bytes"
    PROGRAM payloads)
endif()
