# One library target per module. A module links only modules of lower layers, so a reference to a symbol
# of a higher layer fails at link time.
#
#   grappa_module(<module>
#     DEPENDS <module>...   modules of lower layers; their dependencies are inherited
#     HEADERS <file>...     all headers to install, including detail/ and *_impl
#     SOURCES <file>...     sources of the archive or shared library; absent: a header-only module
#     PUBLIC <library>...   external libraries that the headers include
#     PRIVATE <library>...  external libraries that only the sources use
#   )
#
# File names are relative to the caller's directory and are listed one by one, without patterns. The
# function creates the target grappa_<module> with the alias Grappa::<module>, and appends the headers,
# relative to the root of the repository, to the global property GRAPPA_HEADERS.

include("${CMAKE_CURRENT_LIST_DIR}/layers.cmake")
include(GNUInstallDirs)

option(BUILD_SHARED_LIBS "Build shared libraries instead of archives" OFF)
include(CheckLinkerFlag)
check_linker_flag(CXX "LINKER:-Ttext-segment=0x180000000000" GRAPPA_LINKER_CHOOSES_ADDRESSES)
if(BUILD_SHARED_LIBS AND (GRAPPA_SANITIZE OR NOT GRAPPA_LINKER_CHOOSES_ADDRESSES))
  message(FATAL_ERROR "BUILD_SHARED_LIBS: a shared library of Grappa must be linked at a fixed address, "
    "because its symbols need the same addresses on every core. This requires a linker that supports "
    "-Ttext-segment (GNU ld) and a build without sanitizers. Use archives: BUILD_SHARED_LIBS=OFF.")
endif()

set(GRAPPA_INSTALL_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}/grappa")
set(GRAPPA_INSTALL_PROGRAMDIR "${CMAKE_INSTALL_LIBEXECDIR}/grappa")

function(grappa_module module)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;HEADERS;SOURCES;PUBLIC;PRIVATE")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "grappa_module(${module}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT module IN_LIST GRAPPA_MODULES)
    message(FATAL_ERROR "grappa_module(${module}): this module is not listed in cmake/layers.cmake")
  endif()
  foreach(below IN LISTS arg_DEPENDS)
    if(NOT below IN_LIST GRAPPA_MODULES OR NOT GRAPPA_LAYER_${below} LESS GRAPPA_LAYER_${module})
      message(FATAL_ERROR "grappa_module(${module}): '${below}' is not a module of a lower layer")
    endif()
  endforeach()

  set(target grappa_${module})
  if(arg_SOURCES)
    add_library(${target} ${arg_SOURCES})
    set(public PUBLIC)
    set_target_properties(${target} PROPERTIES
      CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
    if(BUILD_SHARED_LIBS)
      grappa_share(${target} ${module})
    else()
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    endif()
    target_link_libraries(${target} PRIVATE $<TARGET_NAME_IF_EXISTS:grappa_build_flags> ${arg_PRIVATE})
  else()
    add_library(${target} INTERFACE)
    set(public INTERFACE)
  endif()
  add_library(Grappa::${module} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${module})

  # All modules share one precompiled header with common standard headers, which halves the text that the
  # compiler reads. Sanitizer builds disable precompiled headers, which reveals missing #includes.
  if(arg_SOURCES AND NOT BUILD_SHARED_LIBS)
    if(module STREQUAL base)
      target_precompile_headers(${target} PRIVATE <glog/logging.h> <algorithm> <atomic> <cmath> <deque>
        <fstream> <functional> <memory> <queue> <sstream> <string> <unordered_map> <vector>)
    else()
      target_precompile_headers(${target} REUSE_FROM grappa_base)
    endif()
  endif()

  list(TRANSFORM arg_DEPENDS PREPEND grappa_)
  target_link_libraries(${target} ${public} ${arg_DEPENDS} ${arg_PUBLIC})
  target_compile_features(${target} ${public} cxx_std_11)
  target_include_directories(${target} ${public}
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
    "$<INSTALL_INTERFACE:${GRAPPA_INSTALL_INCLUDEDIR}>")
  # A function or a file-scope object must have the same address on every core. Position-independent
  # executables, the default of many compilers, violate this: users inherit the opposite options.
  set(program "$<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>>")
  target_compile_options(${target} ${public}
    $<$<AND:${program},$<COMPILE_LANGUAGE:C,CXX>>:-fno-pie>)
  target_link_options(${target} ${public} $<${program}:-no-pie>)
  # -fstack-clash-protection: a function with a frame larger than a page touches each page of the frame,
  # so an overflow hits the guard page below the stack. Smaller frames have no overhead.
  foreach(language C CXX)
    target_compile_options(${target} ${public}
      $<$<COMPILE_LANG_AND_ID:${language},GNU,Clang>:-fstack-clash-protection>)
  endforeach()

  install(TARGETS ${target} EXPORT GrappaTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  foreach(header IN LISTS arg_HEADERS)
    grappa_install_header("${header}")
  endforeach()
endfunction()

# grappa_fix_address(<target> <number>)
#
# Links a shared library at a fixed address. The dynamic linker asks the kernel for this address, and the
# kernel grants the address if the range is free. All processes of a job then map the library at the same
# address, like the program itself; a job checks this at start (runtime/startup.cpp). Each library has
# 256 MiB. The addresses are far above the program and its heap, which follows the program. They are below
# the global heap at 32 TiB, and below the mappings whose addresses the kernel chooses, above 42 TiB.
function(grappa_fix_address target number)
  math(EXPR place "0x180000000000 + ${number} * 0x10000000" OUTPUT_FORMAT HEXADECIMAL)
  target_link_options(${target} PRIVATE "LINKER:-Ttext-segment=${place}")
endfunction()

# Sets the additional properties of a module that is built as a shared library.
function(grappa_share target module)
  list(FIND GRAPPA_MODULES ${module} number)
  grappa_fix_address(${target} ${number})
  # initial-exec: thread-local variables are in the static TLS block of the program.
  # -fno-semantic-interposition: calls inside the library are direct, because no program replaces functions.
  target_compile_options(${target} PRIVATE -ftls-model=initial-exec
    $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
  target_compile_definitions(${target} PUBLIC GRAPPA_SHARED)
  set_target_properties(${target} PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} INSTALL_RPATH "$ORIGIN")
endfunction()

# Installs one header at its path in the source tree.
function(grappa_install_header header)
  get_filename_component(path "${header}" ABSOLUTE)
  if(NOT EXISTS "${path}")
    message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt: header ${header} does not exist")
  endif()
  file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${path}")
  set_property(GLOBAL APPEND PROPERTY GRAPPA_HEADERS "${path}")
  get_filename_component(folder "${path}" DIRECTORY)
  install(FILES "${header}" DESTINATION "${GRAPPA_INSTALL_INCLUDEDIR}/${folder}")
endfunction()
