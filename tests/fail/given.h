/* Handles, objects and inputs of every kind, for programs that must not compile. */
#ifndef TESTS_FAIL_GIVEN_H
#define TESTS_FAIL_GIVEN_H

#include "syclze/syclze.h"

extern ze_driver_handle_t driver;
extern ze_device_handle_t device_handle;
extern ze_context_handle_t context_handle;
extern ze_command_queue_handle_t queue_handle;
extern ze_command_list_handle_t list_handle;
extern ze_event_handle_t event_handle;
extern ze_module_handle_t module_handle;
extern ze_kernel_handle_t kernel_handle;
extern ze_image_handle_t image_handle;

extern syclze_platform platform;
extern syclze_device device;
extern syclze_context context;
extern syclze_queue queue;
extern syclze_event event;
extern syclze_kernel_bundle bundle;
extern syclze_kernel kernel;
extern syclze_buffer buffer;
extern syclze_image image;
extern syclze_object object;

extern syclze_context_input context_input;
extern syclze_queue_input queue_input;
extern syclze_queue_input_v1 queue_input_v1;
extern syclze_queue_input_v3 queue_input_v3;
extern syclze_event_input event_input;
extern syclze_kernel_bundle_input bundle_input;
extern syclze_kernel_input kernel_input;
extern syclze_buffer_input buffer_input;
extern syclze_image_input image_input;
extern syclze_backend_input backend_input;

extern void *address;
extern int number;

#endif
