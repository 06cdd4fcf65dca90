# Reads every include in the tree and fails on an include of a higher layer.
#
#   cmake -D ROOT=<repository> -P cmake/check_layers.cmake
#
# Checks the "Include rules" of system/README.md: a module includes itself and lower layers only; detail/
# is private to its module; only certain files include external headers; include paths start at the root
# of the repository. Prints file:line: and a sentence for each violation.

cmake_minimum_required(VERSION 3.21)
include("${CMAKE_CURRENT_LIST_DIR}/layers.cmake")

# External headers, a pattern for the files that may include them, and a description of these files. The
# baselines bench/raw_* may include any header.
set(users mpi context gflags mapping signals)
set(mpi_header "^mpi\\.h$")
set(mpi_users "^(system/net/mpi\\.cpp|tests/runtime/calls_mpi\\.cpp)$")
set(mpi_words "system/net/mpi.cpp")
set(context_header "^boost/context/")
set(context_users "^system/tasking/switch\\.")
set(context_words "system/tasking/switch.*")
set(gflags_header "^gflags/")
set(gflags_users "^(system/runtime/|system/Grappa\\.hpp|structures/combining\\.cpp|apps/|bench/|tests/)")
set(gflags_words "system/runtime, structures/combining.cpp and programs")
set(mapping_header "^sys/(mman|shm)\\.h$")
set(mapping_users "^(system/base/mapping\\.cpp$|tests/)")
set(mapping_words "system/base/mapping.cpp")
set(signals_header "^(signal\\.h|csignal|sys/signal\\.h|execinfo\\.h|backward\\.hpp|libunwind\\.h)$")
set(signals_users "^(system/failure/|system/net/mpi\\.cpp|system/net/sim/|tests/)")
set(signals_words "system/failure, system/net/mpi.cpp and system/net/sim")

set(violations 0)

# Reports the include `line` of `file`, with the line number of its first occurrence.
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

# Sets `result` to the module of a path; empty for umbrella headers and programs, which may include all.
function(module_of path result)
  set(${result} "" PARENT_SCOPE)
  if(path MATCHES "^structures/")
    set(${result} structures PARENT_SCOPE)
  elseif(path MATCHES "^system/([^/]+)/" AND NOT CMAKE_MATCH_1 STREQUAL "compat")
    set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
  endif()
endfunction()

# Checks that `file` of `module` may include the Grappa header `path`.
macro(check_own_header)
  module_of("${path}" other)
  if(path MATCHES "^system/compat/" AND NOT file MATCHES "^(system/compat|tests)/")
    report("${file}" "${line}" "${path} is for programs for the original Grappa, by its short name.")
  elseif(other STREQUAL "" AND NOT module STREQUAL "" AND path MATCHES "^(system|structures)/")
    report("${file}" "${line}" "${path} is an umbrella header: only programs may include it.")
  elseif(NOT other STREQUAL "" AND NOT other IN_LIST GRAPPA_MODULES)
    report("${file}" "${line}" "there is no module ${other}; cmake/layers.cmake lists them.")
  elseif(NOT other STREQUAL "" AND NOT module STREQUAL "" AND NOT other STREQUAL module)
    if(GRAPPA_LAYER_${other} GREATER GRAPPA_LAYER_${module})
      report("${file}" "${line}" "${module} (layer ${GRAPPA_LAYER_${module}}) must not include\
 ${other} (layer ${GRAPPA_LAYER_${other}}): a module may include only lower layers.")
    elseif(GRAPPA_LAYER_${other} EQUAL GRAPPA_LAYER_${module})
      report("${file}" "${line}" "${module} and ${other} share layer ${GRAPPA_LAYER_${module}}:\
 modules of one layer must not include each other.")
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
  message(FATAL_ERROR "check_layers: no sources under '${ROOT}'; name the repository with -D ROOT=")
endif()

foreach(file IN LISTS files)
  module_of("${file}" module)
  if(file MATCHES "^system/" AND NOT module STREQUAL "" AND NOT module IN_LIST GRAPPA_MODULES)
    message("${file}:1: there is no module ${module}; cmake/layers.cmake lists them.")
    math(EXPR violations "${violations} + 1")
    continue()
  endif()
  # The tests of a module may include its private headers.
  set(owner "${module}")
  if(file MATCHES "^tests/([^/]+)/")
    set(owner ${CMAKE_MATCH_1})
  endif()

  file(STRINGS "${ROOT}/${file}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "[<\"]([^>\"]+)" quoted "${line}")
    set(path "${CMAKE_MATCH_1}")
    string(SUBSTRING "${quoted}" 0 1 quote)
    if(path MATCHES "(^|/)\\.\\.?/")
      report("${file}" "${line}" "${path} must be written from the root of the repository.")
    elseif(path MATCHES "^(system|structures)/")
      if(quote STREQUAL "<")
        report("${file}" "${line}" "${path} is a Grappa header and must be included in quotes.")
      endif()
      check_own_header()
    elseif(quote STREQUAL "\"" AND NOT (module STREQUAL "" AND path MATCHES "^(apps|bench|tests)/"))
      report("${file}" "${line}"
        "\"${path}\" must be written from the root of the repository, or in <> if it is external.")
    elseif(NOT module STREQUAL "" AND path STREQUAL "Grappa.hpp")
      report("${file}" "${line}" "${path} is an umbrella header: only programs may include it.")
    endif()
    if(NOT file MATCHES "^bench/raw_")
      foreach(user IN LISTS users)
        if(path MATCHES "${${user}_header}" AND NOT file MATCHES "${${user}_users}")
          report("${file}" "${line}" "<${path}> may be included only in ${${user}_words}.")
        endif()
      endforeach()
    endif()
  endforeach()
endforeach()

list(LENGTH files count)
if(violations)
  message(FATAL_ERROR "check_layers: ${violations} violations in ${count} files")
endif()
message(STATUS "check_layers: ${count} files, no violation")
