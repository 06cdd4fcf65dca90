# Reads every include in the tree and fails on a step upwards.
#
#   cmake -D ROOT=<repository> -P cmake/check_floors.cmake
#
# Holds "Who may include whom" of system/README.md, as far as includes show it: rooms include their own and
# lower floors, detail/ is private to its room, foreign headers come in through their doors, includes
# are written from the root of the repository. Prints file:line: and a sentence for each violation.

cmake_minimum_required(VERSION 3.21)
include("${CMAKE_CURRENT_LIST_DIR}/floors.cmake")

# Foreign headers, the files that may include them, and where that is in words. bench/raw_* may
# include any: they are baselines.
set(doors mpi context gflags mapping signals)
set(mpi_header "^mpi\\.h$")
set(mpi_door "^(system/net/mpi_library\\.hpp|tests/runtime/calls_mpi\\.cpp)$")
set(mpi_words "system/net/mpi_library.hpp")
set(context_header "^boost/context/")
set(context_door "^system/tasking/switch\\.")
set(context_words "system/tasking/switch.*")
set(gflags_header "^gflags/")
set(gflags_door "^(system/runtime/|system/Grappa\\.hpp|structures/combining\\.cpp|structures/detail/known_keys\\.cpp|apps/|bench/|tests/)")
set(gflags_words "system/runtime, structures/combining.cpp, structures/detail/known_keys.cpp and programs")
set(mapping_header "^sys/(mman|shm)\\.h$")
set(mapping_door "^(system/base/mapping\\.cpp$|tests/)")
set(mapping_words "system/base/mapping.cpp")
set(signals_header "^(signal\\.h|csignal|sys/signal\\.h|execinfo\\.h|backward\\.hpp|libunwind\\.h)$")
set(signals_door "^(system/runtime/|system/net/late_event\\.|tests/)")
set(signals_words "system/runtime and system/net/late_event.*")

set(violations 0)

# Reports the include `line` of `file`, with the place of its first occurrence.
function(report file line sentence)
  file(READ "${ROOT}/${file}" text)
  string(FIND "\n${text}" "\n${line}" at)
  string(SUBSTRING "\n${text}" 0 ${at} before)
  string(REGEX REPLACE "[^\n]" "" before "${before}")
  string(LENGTH "${before}\n" number)
  message("${file}:${number}: ${sentence}")
  math(EXPR violations "${violations} + 1")
  set(violations ${violations} PARENT_SCOPE)
endfunction()

# The room that a path belongs to; empty for the front doors and for programs, which see all rooms.
function(room_of path result)
  set(${result} "" PARENT_SCOPE)
  if(path MATCHES "^structures/")
    set(${result} structures PARENT_SCOPE)
  elseif(path MATCHES "^system/([^/]+)/" AND NOT CMAKE_MATCH_1 STREQUAL "compat")
    set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
  endif()
endfunction()

# Whether `file` of `room` may see the header `path` of ours.
macro(check_own_header)
  room_of("${path}" other)
  if(other STREQUAL "" AND NOT room STREQUAL "" AND path MATCHES "^(system|structures)/")
    report("${file}" "${line}" "${path} is a front door: for programs, not for the library.")
  elseif(NOT other STREQUAL "" AND NOT other IN_LIST GRAPPA_ROOMS)
    report("${file}" "${line}" "there is no room ${other}; cmake/floors.cmake lists them.")
  elseif(NOT other STREQUAL "" AND NOT room STREQUAL "" AND NOT other STREQUAL room)
    if(GRAPPA_FLOOR_${other} GREATER GRAPPA_FLOOR_${room})
      report("${file}" "${line}" "${room} (floor ${GRAPPA_FLOOR_${room}}) must not include\
 ${other} (floor ${GRAPPA_FLOOR_${other}}): stairs go down only.")
    elseif(GRAPPA_FLOOR_${other} EQUAL GRAPPA_FLOOR_${room})
      report("${file}" "${line}" "${room} and ${other} share floor ${GRAPPA_FLOOR_${room}}:\
 rooms on one floor do not see each other.")
    endif()
  endif()
  if(path MATCHES "/detail/" AND NOT other STREQUAL owner)
    report("${file}" "${line}" "${path} is private to ${other}.")
  endif()
endmacro()

file(GLOB_RECURSE files RELATIVE "${ROOT}"
  "${ROOT}/system/*.[ch]pp" "${ROOT}/structures/*.[ch]pp" "${ROOT}/apps/*.[ch]pp"
  "${ROOT}/bench/*.[ch]pp" "${ROOT}/tests/*.[ch]pp")
if(NOT files)
  message(FATAL_ERROR "check_floors: no sources under '${ROOT}'; name the repository with -D ROOT=")
endif()

foreach(file IN LISTS files)
  room_of("${file}" room)
  if(file MATCHES "^system/" AND NOT room STREQUAL "" AND NOT room IN_LIST GRAPPA_ROOMS)
    message("${file}:1: there is no room ${room}; cmake/floors.cmake lists them.")
    math(EXPR violations "${violations} + 1")
    continue()
  endif()
  # Tests of a room see its private parts.
  set(owner "${room}")
  if(file MATCHES "^tests/([^/]+)/")
    set(owner ${CMAKE_MATCH_1})
  endif()

  file(STRINGS "${ROOT}/${file}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "[<\"]([^>\"]+)" quoted "${line}")
    set(path "${CMAKE_MATCH_1}")
    string(SUBSTRING "${quoted}" 0 1 quote)
    if(path MATCHES "(^|/)\\.\\.?/")
      report("${file}" "${line}" "includes are written from the root of the repository, not ${path}.")
    elseif(path MATCHES "^(system|structures)/")
      if(quote STREQUAL "<")
        report("${file}" "${line}" "${path} is ours and is included in quotes.")
      endif()
      check_own_header()
    elseif(quote STREQUAL "\"" AND NOT (room STREQUAL "" AND path MATCHES "^(apps|bench|tests)/"))
      report("${file}" "${line}"
        "\"${path}\" is not written from the root of the repository; foreign headers go in <>.")
    elseif(NOT room STREQUAL "" AND path STREQUAL "Grappa.hpp")
      report("${file}" "${line}" "${path} is a front door: for programs, not for the library.")
    endif()
    if(NOT file MATCHES "^bench/raw_")
      foreach(door IN LISTS doors)
        if(path MATCHES "${${door}_header}" AND NOT file MATCHES "${${door}_door}")
          report("${file}" "${line}" "<${path}> is included only in ${${door}_words}.")
        endif()
      endforeach()
    endif()
  endforeach()
endforeach()

list(LENGTH files count)
if(violations)
  message(FATAL_ERROR "check_floors: ${violations} violations in ${count} files")
endif()
message(STATUS "check_floors: ${count} files, no violation")
