/* Functions of the driver by their place in its tables, as a newer loader finds them, so that tests
 * of them run on any loader. */
#ifndef ZECL_TEST_SLOT_H
#define ZECL_TEST_SLOT_H

#include "handles.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void any_function(void);

static const ze_api_version_t newest = (ze_api_version_t)ZE_MAKE_VERSION(1, 17);

static inline any_function *slot(const char *table, unsigned index) {
  static void *driver;
  enum { ROOM = 64 };
  any_function *slots[ROOM] = {0};
  ze_result_t (*get)(ze_api_version_t, void *);
  char name[64];
  test_device(); /* begins, so that the driver is loaded and started */
  if (!driver) driver = dlopen(getenv("ZE_ENABLE_ALT_DRIVERS"), RTLD_NOW | RTLD_LOCAL);
  CHECK(driver != NULL);
  snprintf(name, sizeof name, "%sProcAddrTable", table);
  void *symbol = dlsym(driver, name);
  CHECK(symbol != NULL);
  memcpy(&get, &symbol, sizeof get);
  OK(get(newest, slots));
  CHECK(slots[index] != NULL);
  return slots[index];
}

#define SLOT(table, index, ...) ((ze_result_t(*)(__VA_ARGS__))slot(table, index))

#endif
