/* Wraps the handles of struct given; each make must succeed. The caller releases the objects. */
#ifndef TESTS_DEVICE_MADE_H
#define TESTS_DEVICE_MADE_H

#include "given.h"

#include "syclze/command.h"
#include "syclze/syclze.h"
#include "tests/check.h"

syclze_device made_device(const struct given *g);
syclze_context made_context(const struct given *g, syclze_ownership ownership);

/* Null, opaque to the compiler, which would warn about refused calls. */
syclze_context made_no_context(void);

syclze_queue made_queue(const struct given *g, syclze_context context, syclze_native_queue native,
    syclze_ownership ownership);
syclze_event made_event(
    syclze_context context, ze_event_handle_t event, syclze_ownership ownership);
syclze_kernel_bundle made_kernel_bundle(
    syclze_context context, ze_module_handle_t module, syclze_ownership ownership);
syclze_kernel made_kernel(syclze_kernel_bundle bundle, ze_kernel_handle_t kernel,
    syclze_context context, syclze_ownership ownership);

#endif
