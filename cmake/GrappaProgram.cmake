# Programs on layer 9 are compiled like the programs of users: as C++11, against the public target.

# Sets the common properties of apps, benchmarks and tests. A dependency that requires a newer standard
# (GoogleTest since 1.13) raises the standard of the target that uses the dependency.
function(grappa_program_settings target)
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD 11 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  target_link_libraries(${target} PRIVATE grappa_build_flags)
endfunction()

# Compiles a program with the precompiled headers of the programs: parsing Grappa.hpp takes half of the
# compile time of a file.
function(grappa_precompile_program target)
  if(TARGET grappa_apps AND NOT BUILD_SHARED_LIBS)
    target_precompile_headers(${target} REUSE_FROM grappa_apps)
  endif()
endfunction()

# grappa_app(<name> SOURCES <file>... [LINK <library>...])
#
# Adds a program for `./grappa run <name>` and, after installation, for `grappa run <name>`. The sources except
# main.cpp form the library grappa_app_<name>, which the tests of these sources link.
function(grappa_app name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  set(main ${arg_SOURCES})
  list(FILTER main INCLUDE REGEX "/main[.]cpp$")
  list(FILTER arg_SOURCES EXCLUDE REGEX "/main[.]cpp$")
  add_executable(${name} ${main})
  set(targets ${name})
  if(arg_SOURCES)
    add_library(grappa_app_${name} STATIC ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE grappa_app_${name})
    list(APPEND targets grappa_app_${name})
  endif()
  foreach(target IN LISTS targets)
    grappa_program_settings(${target})
    target_link_libraries(${target} PRIVATE grappa_apps ${arg_LINK})
    grappa_precompile_program(${target})
  endforeach()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH libraries "/${GRAPPA_INSTALL_PROGRAMDIR}" "/${CMAKE_INSTALL_LIBDIR}")
    set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries}")
  endif()
  install(TARGETS ${name} RUNTIME DESTINATION "${GRAPPA_INSTALL_PROGRAMDIR}")
  set_property(GLOBAL APPEND PROPERTY GRAPPA_APPS ${name})
endfunction()

# grappa_bench(<name> CORES <n> [INSTRUCTIONS | MPI] SOURCES <file>... [LINK <library>...])
#
# Adds a benchmark for `./grappa bench <name>`, which uses n cores by default.
# INSTRUCTIONS: the benchmark counts instructions, so the launcher also builds it without -march=native.
# MPI: the benchmark calls MPI, so mpirun starts its cores.
function(grappa_bench name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INSTRUCTIONS;MPI" "CORES" "SOURCES;LINK")
  if(NOT arg_CORES OR name MATCHES "^(all|compare|figures)$")
    message(FATAL_ERROR "grappa_bench(${name}): CORES is required, and the names all, compare and\
 figures are reserved for launcher commands")
  endif()
  add_executable(bench_${name} ${arg_SOURCES})
  grappa_program_settings(bench_${name})
  target_link_libraries(bench_${name} PRIVATE grappa_bench_shared ${arg_LINK})
  grappa_precompile_program(bench_${name})
  set_target_properties(bench_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
  set(line "${name} ${arg_CORES}")
  if(arg_INSTRUCTIONS)
    string(APPEND line " instructions")
  elseif(arg_MPI)
    string(APPEND line " mpi")
  endif()
  set_property(GLOBAL APPEND PROPERTY GRAPPA_BENCHES "${line}")
endfunction()
