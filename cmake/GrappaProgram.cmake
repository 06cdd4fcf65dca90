# Programs on floor 8 are compiled as users compile theirs: C++11, against the public target.

# What apps, benchmarks and tests share. A dependency that demands a newer standard (GoogleTest from
# 1.13 on does) raises it for the target that uses it.
function(grappa_program_settings target)
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD 11 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  target_link_libraries(${target} PRIVATE grappa_build_flags)
endfunction()

# grappa_app(<name> SOURCES <file>... [LINK <library>...])
#
# A program that `./grappa run <name>` knows.
function(grappa_app name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  grappa_program_settings(${name})
  target_link_libraries(${name} PRIVATE Grappa::Grappa ${arg_LINK})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set_property(GLOBAL APPEND PROPERTY GRAPPA_APPS ${name})
endfunction()

# grappa_bench(<name> SOURCES <file>... [LINK <library>...])
function(grappa_bench name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(bench_${name} ${arg_SOURCES})
  grappa_program_settings(bench_${name})
  target_link_libraries(bench_${name} PRIVATE Grappa::Grappa ${arg_LINK})
  set_target_properties(bench_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
endfunction()
