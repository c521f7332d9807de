/* Call sites of the functions of host_accessor.h, once it and a trace are included. */
#ifndef SYCLZE_CALL_SITE_HOST_H
#define SYCLZE_CALL_SITE_HOST_H

#include "../command/host_accessor.h"
#include "call_site.h"

#ifdef SYCLZE__AT_CALL_SITE
#define syclze_buffer_read(...) SYCLZE__AT_CALL_SITE(syclze_buffer_read(__VA_ARGS__))
#define syclze_buffer_write(...) SYCLZE__AT_CALL_SITE(syclze_buffer_write(__VA_ARGS__))
#define syclze_host_accessor_create(...)                                                           \
  SYCLZE__AT_CALL_SITE(syclze_host_accessor_create(__VA_ARGS__))
#define syclze_host_accessor_create_range(...)                                                     \
  SYCLZE__AT_CALL_SITE(syclze_host_accessor_create_range(__VA_ARGS__))
#define syclze_host_accessor_begin(...)                                                            \
  SYCLZE__AT_CALL_SITE(syclze_host_accessor_begin(__VA_ARGS__))
#define syclze_host_accessor_release(...)                                                          \
  SYCLZE__AT_CALL_SITE(syclze_host_accessor_release(__VA_ARGS__))
#endif

#endif
