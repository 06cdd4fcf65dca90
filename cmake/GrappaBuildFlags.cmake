# How our own targets are compiled. None of this reaches users: rooms, programs and tests link
# grappa_build_flags privately, and it is never exported.

option(GRAPPA_NATIVE "Compile for the processor of this machine (-march=native)" OFF)
option(GRAPPA_WERROR "Warnings end the build" OFF)
set(GRAPPA_SANITIZE "" CACHE STRING
  "Sanitizers of the build: address, undefined, both (address;undefined), thread, or none")
set_property(CACHE GRAPPA_SANITIZE PROPERTY STRINGS "" address undefined "address;undefined" thread)

add_library(grappa_build_flags INTERFACE)
target_compile_options(grappa_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow
  # g++ notes that types aligned to a cache line were passed otherwise before GCC 4.6.
  -Wno-psabi
  # Macros of GoogleTest leave out what C++20 lets them leave out.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-gnu-zero-variadic-macro-arguments>
  $<$<BOOL:${GRAPPA_WERROR}>:-Werror>
  $<$<BOOL:${GRAPPA_NATIVE}>:-march=native>)

set(grappa_sanitizer_labels "")  # of the tests that this build has; all if it is empty
foreach(sanitizer IN LISTS GRAPPA_SANITIZE)
  if(sanitizer STREQUAL "address")
    list(APPEND grappa_sanitizer_labels asan)
  elseif(sanitizer STREQUAL "undefined")
    list(APPEND grappa_sanitizer_labels ubsan)
    target_compile_options(grappa_build_flags INTERFACE -fno-sanitize-recover=undefined)
    target_link_options(grappa_build_flags INTERFACE -fno-sanitize-recover=undefined)
  elseif(sanitizer STREQUAL "thread")
    list(APPEND grappa_sanitizer_labels tsan)
  else()
    message(FATAL_ERROR
      "GRAPPA_SANITIZE has '${sanitizer}'; there are address, undefined and thread.")
  endif()
  target_compile_options(grappa_build_flags INTERFACE -fsanitize=${sanitizer})
  target_link_options(grappa_build_flags INTERFACE -fsanitize=${sanitizer})
endforeach()
if(GRAPPA_SANITIZE)
  target_compile_options(grappa_build_flags INTERFACE -fno-omit-frame-pointer)
endif()
