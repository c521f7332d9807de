/* Declarations for the short examples of the manual's pages and of the headers: names of any handle
   and object that an example does not make itself. */
#ifndef TESTS_GIVEN_H
#define TESTS_GIVEN_H

#include "syclze/command.h"
#include "syclze/command/graph.h"
#include "syclze/command/host_accessor.h"
#include "syclze/device_global.h"
#include "syclze/ipc.h"
#include "syclze/offload/deflate.h"
#include "syclze/offload/launch.h"
#include "syclze/sycl_interop.h"
#include "syclze/syclze.h"

#include <stdio.h>

static void *handle; /* of the kind that the example uses */
static ze_driver_handle_t driver;
static ze_command_list_handle_t list;
static ze_module_handle_t module;
static void *memory;
static const void *file;
static size_t file_size;
static syclze_device device;
static syclze_context context;
static syclze_queue_input input;
static syclze_queue queue, secondary;
static syclze_event event;
static syclze_event *result;
static syclze_kernel_bundle bundle;
static syclze_kernel kernel;
static syclze_program program;
static syclze_bytes container;
static FILE *output;
static syclze_buffer buffer;
static syclze_image image;
static syclze_ipc_memory opened;
static syclze_group group;
static syclze_graph graph;
static syclze_executable_graph steps;
static syclze_accessor x, y;
static syclze_event before;
static syclze_asynchronous_handler asynchronous_handler;
void notify(void *user, const syclze_diagnostic *diagnostic);
static float a;
static size_t n;
static void *pointer, *to;
static const void *from;
static int zero, start, argument;
static syclze_host_function host_work;
static syclze_command_group_function command_group;

#endif
