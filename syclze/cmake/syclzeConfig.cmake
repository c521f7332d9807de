# The CMake package, and what CMakeLists.txt defines its targets by: beside the headers, whether they
# are installed or part of another project's sources.
#
#   syclze::syclze   the headers, Level Zero's headers, and Level Zero's loader to link with
#   syclze::dynamic  without the loader: SYCLZE_LOADER_DYNAMIC (syclze/loader.h)
#   syclze::library  libsyclze.so and syclze_library.h, where make install-library installed them
#
#   syclze_add_kernels(TARGET SOURCE.cl... [SPLIT kernel] [DEVICES pvc bmg])
#                    compiles kernels in OpenCL C, and registers them with the target, one of whose
#                    files has SYCLZE_DEFINE_SYCL_REGISTER (syclze/offload/registry.h). By
#                    offload/tools/kernels.mk, which says what the options are
#
# Level Zero is where CMake looks, or under LEVEL_ZERO_ROOT.
include(CMakeFindDependencyMacro)
find_dependency(Threads)

if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/../syclze.h")
  get_filename_component(syclze_INCLUDE_DIR "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
  get_filename_component(syclze_TOOLS_DIR "${CMAKE_CURRENT_LIST_DIR}/../offload/tools" ABSOLUTE)
else()
  get_filename_component(syclze_INCLUDE_DIR "${CMAKE_CURRENT_LIST_DIR}/../../../include" ABSOLUTE)
  get_filename_component(syclze_TOOLS_DIR "${CMAKE_CURRENT_LIST_DIR}/../../syclze" ABSOLUTE)
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
  find_library(SYCLZE_LIBRARY syclze HINTS "${syclze_INCLUDE_DIR}/../lib")
  mark_as_advanced(SYCLZE_LIBRARY)
  if(SYCLZE_LIBRARY)
    add_library(syclze::library INTERFACE IMPORTED GLOBAL)
    set_target_properties(syclze::library PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${syclze_INCLUDE_DIR};${SYCLZE_ZE_INCLUDE_DIR}"
      INTERFACE_LINK_LIBRARIES "${SYCLZE_LIBRARY}")
  endif()
endif()

# In the cache, because the function is called from folders above this one too.
set(SYCLZE_TOOLS_DIR "${syclze_TOOLS_DIR}" CACHE INTERNAL "offload.mk and what it builds")
find_program(SYCLZE_MAKE NAMES make gmake)
mark_as_advanced(SYCLZE_MAKE)

function(syclze_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 kernels "" "SPLIT" "DEVICES")
  set(sources)
  foreach(source IN LISTS kernels_UNPARSED_ARGUMENTS)
    get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND sources "${source}")
  endforeach()
  if(NOT sources OR NOT SYCLZE_MAKE)
    message(FATAL_ERROR "syclze_add_kernels(${target}): needs sources, and make")
  endif()
  string(REPLACE ";" "," devices "${kernels_DEVICES}")
  string(REPLACE ";" " " list "${sources}")
  string(MD5 name "${sources}")
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${target}.${name}.kernels.o")
  if("${object};${sources};${SYCLZE_TOOLS_DIR}" MATCHES " ")
    message(FATAL_ERROR "syclze_add_kernels(${target}): make takes no folder with a space: ${object}, ${sources}")
  endif()
  set(compiler)
  if(CMAKE_C_COMPILER)
    set(compiler "CC=${CMAKE_C_COMPILER}")
  endif()
  add_custom_command(OUTPUT "${object}"
    COMMAND "${SYCLZE_MAKE}" -s -f "${SYCLZE_TOOLS_DIR}/kernels.mk" "OBJECT=${object}"
      "SOURCES=${list}" "SPLIT=${kernels_SPLIT}" "DEVICES=${devices}" ${compiler}
    DEPENDS ${sources} "${SYCLZE_TOOLS_DIR}/offload.mk" VERBATIM
    COMMENT "Compiling kernels of ${target}")
  set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  target_sources(${target} PRIVATE "${object}")
endfunction()
