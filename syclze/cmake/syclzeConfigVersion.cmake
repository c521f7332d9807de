# The version stands in version.h. A later minor version has what an earlier one had.
if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/../version.h")
  file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../version.h" syclze_lines REGEX "define SYCLZE_VERSION_[A-Z]+ ")
else()
  file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../../../include/syclze/version.h" syclze_lines
    REGEX "define SYCLZE_VERSION_[A-Z]+ ")
endif()
string(REGEX REPLACE "[^0-9;]" "" syclze_numbers "${syclze_lines}")
string(REPLACE ";" "." PACKAGE_VERSION "${syclze_numbers}")
list(GET syclze_numbers 0 syclze_major)

set(PACKAGE_VERSION_COMPATIBLE FALSE)
set(PACKAGE_VERSION_EXACT FALSE)
if(PACKAGE_FIND_VERSION_MAJOR EQUAL syclze_major AND NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
