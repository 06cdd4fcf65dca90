# Compile options of Grappa's own targets. Modules, programs and tests link grappa_build_flags privately,
# and this target is not exported: user projects do not inherit the options.

option(GRAPPA_NATIVE "Compile for the processor of this machine (-march=native)" OFF)
option(GRAPPA_WERROR "Treat warnings as errors (-Werror)" OFF)
set(GRAPPA_SANITIZE "" CACHE STRING
  "Sanitizers: address, undefined, both (address;undefined), thread, or none (empty)")
set_property(CACHE GRAPPA_SANITIZE PROPERTY STRINGS "" address undefined "address;undefined" thread)

add_library(grappa_build_flags INTERFACE)
target_compile_options(grappa_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow
  # Disables the g++ note that GCC 4.6 changed how cache-line-aligned types are passed.
  -Wno-psabi
  # GoogleTest omits variadic macro arguments, which only C++20 permits.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-gnu-zero-variadic-macro-arguments>
  $<$<BOOL:${GRAPPA_WERROR}>:-Werror>
  $<$<BOOL:${GRAPPA_NATIVE}>:-march=native>)

set(grappa_sanitizer_labels "")  # labels of the tests in this build; empty: all tests
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
      "GRAPPA_SANITIZE: invalid value \"${sanitizer}\", expected address, undefined or thread")
  endif()
  target_compile_options(grappa_build_flags INTERFACE -fsanitize=${sanitizer})
  target_link_options(grappa_build_flags INTERFACE -fsanitize=${sanitizer})
endforeach()
if(GRAPPA_SANITIZE)
  target_compile_options(grappa_build_flags INTERFACE -fno-omit-frame-pointer)
endif()
