# One library target per room, linked only to rooms that it may see: a symbol that reaches upwards
# does not link.
#
#   grappa_room(<room>
#     DEPENDS <room>...     rooms of lower floors; what these see comes along
#     HEADERS <file>...     everything that is installed, detail/ and *_impl included
#     SOURCES <file>...     none: a room of headers only. An archive, or with BUILD_SHARED_LIBS shared
#     PUBLIC <library>...   foreign libraries that our headers include
#     PRIVATE <library>...  foreign libraries behind our sources
#   )
#
# Files are named from the caller's directory, in a list and never by a pattern. Makes the target
# grappa_<room> with the alias Grappa::<room>, and appends the headers to the global property
# GRAPPA_HEADERS, relative to the root of the repository.

include("${CMAKE_CURRENT_LIST_DIR}/floors.cmake")
include(GNUInstallDirs)

option(BUILD_SHARED_LIBS "Build shared libraries instead of archives" OFF)
include(CheckLinkerFlag)
check_linker_flag(CXX "LINKER:-Ttext-segment=0x180000000000" GRAPPA_LINKER_CHOOSES_PLACES)
if(BUILD_SHARED_LIBS AND (GRAPPA_SANITIZE OR NOT GRAPPA_LINKER_CHOOSES_PLACES))
  message(FATAL_ERROR "BUILD_SHARED_LIBS: what is in a library of Grappa has the same address on every "
    "core, so a shared one is linked for a place. That takes a linker with -Ttext-segment, as GNU ld is, "
    "and a build without sanitizers. Use archives: BUILD_SHARED_LIBS=OFF.")
endif()

set(GRAPPA_INSTALL_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}/grappa")
set(GRAPPA_INSTALL_PROGRAMDIR "${CMAKE_INSTALL_LIBEXECDIR}/grappa")

function(grappa_room room)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;HEADERS;SOURCES;PUBLIC;PRIVATE")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "grappa_room(${room}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  if(NOT room IN_LIST GRAPPA_ROOMS)
    message(FATAL_ERROR "grappa_room(${room}): cmake/floors.cmake knows no such room")
  endif()
  foreach(below IN LISTS arg_DEPENDS)
    if(NOT below IN_LIST GRAPPA_ROOMS OR NOT GRAPPA_FLOOR_${below} LESS GRAPPA_FLOOR_${room})
      message(FATAL_ERROR "grappa_room(${room}): '${below}' is not a room of a lower floor")
    endif()
  endforeach()

  set(target grappa_${room})
  if(arg_SOURCES)
    add_library(${target} ${arg_SOURCES})
    set(public PUBLIC)
    set_target_properties(${target} PROPERTIES
      CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
    if(BUILD_SHARED_LIBS)
      grappa_share(${target} ${room})
    else()
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    endif()
    target_link_libraries(${target} PRIVATE $<TARGET_NAME_IF_EXISTS:grappa_build_flags> ${arg_PRIVATE})
  else()
    add_library(${target} INTERFACE)
    set(public INTERFACE)
  endif()
  add_library(Grappa::${room} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room})

  # The standard headers that most sources include are compiled once for all rooms: that halves what
  # the compiler reads. Builds of sanitizers do without, so that a missing #include is found there.
  if(arg_SOURCES AND NOT BUILD_SHARED_LIBS)
    if(room STREQUAL base)
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
  # Programs rely on a function or a file-scope object having one address on every core. Compilers
  # that make position-independent executables by default break that, so users inherit the opposite.
  set(program "$<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>>")
  target_compile_options(${target} ${public}
    $<$<AND:${program},$<COMPILE_LANGUAGE:C,CXX>>:-fno-pie>)
  target_link_options(${target} ${public} $<${program}:-no-pie>)
  # A frame of more than a page touches each of its pages as it is made, so that it meets the guard
  # below the stack instead of stepping over it. Smaller frames cost nothing.
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

# grappa_fix_place(<target> <number>)
#
# Links a shared library for a place of its own. The dynamic linker asks the kernel for that place, and
# the kernel grants it if nothing is there, so all processes of a job have the library at one place, like
# the program itself; a job checks it when it starts (runtime/same_program.hpp). There are 256 MiB for
# each, far from programs and from their heaps, which begin behind them; below the global heap, which is
# at 32 TiB, and below what the kernel maps where it likes, which is above 42 TiB.
function(grappa_fix_place target number)
  math(EXPR place "0x180000000000 + ${number} * 0x10000000" OUTPUT_FORMAT HEXADECIMAL)
  target_link_options(${target} PRIVATE "LINKER:-Ttext-segment=${place}")
endfunction()

# What else a room needs if its library is shared.
function(grappa_share target room)
  list(FIND GRAPPA_ROOMS ${room} number)
  grappa_fix_place(${target} ${number})
  # Variables of a thread are where the program starts with them, and calls inside of a library go
  # straight to the function instead of to what a program might put in its stead.
  target_compile_options(${target} PRIVATE -ftls-model=initial-exec
    $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
  target_compile_definitions(${target} PUBLIC GRAPPA_SHARED)
  set_target_properties(${target} PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} INSTALL_RPATH "$ORIGIN")
endfunction()

# Installs one header. It keeps its place in the tree, unless TO names another one.
function(grappa_install_header header)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TO" "")
  get_filename_component(path "${header}" ABSOLUTE)
  if(NOT EXISTS "${path}")
    message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt lists ${header}, which is absent")
  endif()
  file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${path}")
  set_property(GLOBAL APPEND PROPERTY GRAPPA_HEADERS "${path}")
  if(NOT DEFINED arg_TO)
    set(arg_TO "${path}")
  endif()
  get_filename_component(folder "${arg_TO}" DIRECTORY)
  install(FILES "${header}" DESTINATION "${GRAPPA_INSTALL_INCLUDEDIR}/${folder}")
endfunction()

# grappa_front_doors(HEADERS <file>...)
#
# The headers that programs include by a short name: Grappa.hpp, and those of compat/ under the names
# that old programs use. Installed beside the tree, not inside it.
function(grappa_front_doors)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "HEADERS")
  foreach(header IN LISTS arg_HEADERS)
    string(REGEX REPLACE "^compat/" "" name "${header}")
    grappa_install_header("${header}" TO "${name}")
  endforeach()
endfunction()
