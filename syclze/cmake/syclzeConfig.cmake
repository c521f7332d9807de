# The CMake package, and what CMakeLists.txt defines its targets by: beside the headers, whether they
# are installed or part of another project's sources.
#
#   syclze::syclze   the headers, Level Zero's headers, and Level Zero's loader to link with
#   syclze::dynamic  without the loader: SYCLZE_LOADER_DYNAMIC (syclze/loader.h)
#
# Level Zero is where CMake looks, or under LEVEL_ZERO_ROOT.
include(CMakeFindDependencyMacro)
find_dependency(Threads)

if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/../syclze.h")
  get_filename_component(syclze_INCLUDE_DIR "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
else()
  get_filename_component(syclze_INCLUDE_DIR "${CMAKE_CURRENT_LIST_DIR}/../../../include" ABSOLUTE)
endif()

find_path(SYCLZE_ZE_INCLUDE_DIR level_zero/ze_api.h HINTS "${LEVEL_ZERO_ROOT}" PATH_SUFFIXES include)
find_library(SYCLZE_ZE_LOADER ze_loader HINTS "${LEVEL_ZERO_ROOT}" PATH_SUFFIXES lib)
mark_as_advanced(SYCLZE_ZE_INCLUDE_DIR SYCLZE_ZE_LOADER)

if(NOT SYCLZE_ZE_INCLUDE_DIR)
  set(syclze_FOUND FALSE)
  set(syclze_NOT_FOUND_MESSAGE "level_zero/ze_api.h is not found; set LEVEL_ZERO_ROOT")
elseif(NOT TARGET syclze::dynamic)
  add_library(syclze::dynamic INTERFACE IMPORTED GLOBAL)
  set_target_properties(syclze::dynamic PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${syclze_INCLUDE_DIR};${SYCLZE_ZE_INCLUDE_DIR}"
    INTERFACE_COMPILE_DEFINITIONS SYCLZE_LOADER_DYNAMIC
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS}")
  if(SYCLZE_ZE_LOADER)
    add_library(syclze::syclze INTERFACE IMPORTED GLOBAL)
    set_target_properties(syclze::syclze PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${syclze_INCLUDE_DIR};${SYCLZE_ZE_INCLUDE_DIR}"
      INTERFACE_LINK_LIBRARIES "${SYCLZE_ZE_LOADER};Threads::Threads;${CMAKE_DL_LIBS}")
  endif()
endif()
