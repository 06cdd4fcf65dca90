# How our own targets are compiled. None of this reaches users: rooms, programs and tests link
# grappa_build_flags privately, and it is never exported.

option(GRAPPA_NATIVE "Compile for the processor of this machine (-march=native)" OFF)
option(GRAPPA_WERROR "Warnings end the build" OFF)
set(GRAPPA_SANITIZE "" CACHE STRING "Sanitizer of the build: address, undefined, thread, or empty")
set_property(CACHE GRAPPA_SANITIZE PROPERTY STRINGS "" address undefined thread)

add_library(grappa_build_flags INTERFACE)
target_compile_options(grappa_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow
  $<$<BOOL:${GRAPPA_WERROR}>:-Werror>
  $<$<BOOL:${GRAPPA_NATIVE}>:-march=native>)

if(GRAPPA_SANITIZE STREQUAL "")
  set(grappa_sanitizer_label "")
elseif(GRAPPA_SANITIZE STREQUAL "address")
  set(grappa_sanitizer_label asan)
elseif(GRAPPA_SANITIZE STREQUAL "undefined")
  set(grappa_sanitizer_label ubsan)
  target_compile_options(grappa_build_flags INTERFACE -fno-sanitize-recover=all)
  target_link_options(grappa_build_flags INTERFACE -fno-sanitize-recover=all)
elseif(GRAPPA_SANITIZE STREQUAL "thread")
  set(grappa_sanitizer_label tsan)
else()
  message(FATAL_ERROR
    "GRAPPA_SANITIZE is '${GRAPPA_SANITIZE}'; it may be address, undefined, thread or empty.")
endif()
if(GRAPPA_SANITIZE)
  target_compile_options(grappa_build_flags INTERFACE
    -fsanitize=${GRAPPA_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(grappa_build_flags INTERFACE -fsanitize=${GRAPPA_SANITIZE})
endif()
