# One library target per room, linked only to rooms that it may see: a symbol that reaches upwards
# does not link.
#
#   grappa_room(<room>
#     DEPENDS <room>...     rooms of lower floors; what these see comes along
#     HEADERS <file>...     everything that is installed, detail/ and *_impl included
#     SOURCES <file>...     none: a room of headers only
#     PUBLIC <library>...   foreign libraries that our headers include
#     PRIVATE <library>...  foreign libraries behind our sources
#   )
#
# Files are named from the caller's directory, in a list and never by a pattern. Makes the target
# grappa_<room> with the alias Grappa::<room>, and appends the headers to the global property
# GRAPPA_HEADERS, relative to the root of the repository.

include("${CMAKE_CURRENT_LIST_DIR}/floors.cmake")
include(GNUInstallDirs)

set(GRAPPA_INSTALL_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}/grappa")

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
    add_library(${target} STATIC ${arg_SOURCES})
    set(public PUBLIC)
    set_target_properties(${target} PROPERTIES
      CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
      POSITION_INDEPENDENT_CODE OFF)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:grappa_build_flags> ${arg_PRIVATE})
  else()
    add_library(${target} INTERFACE)
    set(public INTERFACE)
  endif()
  add_library(Grappa::${room} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room})

  list(TRANSFORM arg_DEPENDS PREPEND grappa_)
  target_link_libraries(${target} ${public} ${arg_DEPENDS} ${arg_PUBLIC})
  target_compile_features(${target} ${public} cxx_std_11)
  target_include_directories(${target} ${public}
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
    "$<INSTALL_INTERFACE:${GRAPPA_INSTALL_INCLUDEDIR}>")
  # Programs rely on a function or a file-scope object having one address on every core. Compilers
  # that make position-independent executables by default break that, so users inherit the opposite.
  target_compile_options(${target} ${public} $<$<COMPILE_LANGUAGE:C,CXX>:-fno-pie>)
  target_link_options(${target} ${public} -no-pie)

  install(TARGETS ${target} EXPORT GrappaTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  foreach(header IN LISTS arg_HEADERS)
    grappa_install_header("${header}")
  endforeach()
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
