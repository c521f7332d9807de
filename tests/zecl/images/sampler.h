/* A sampler: how a kernel reads between texels and beyond the edge of an image. */
#ifndef ZECL_IMAGES_SAMPLER_H
#define ZECL_IMAGES_SAMPLER_H

#include "core/context.h"
#include "engine/engine.h"

struct zecl_sampler {
  struct zecl_object object;
  struct zecl_context *context;
  bool is_normalised, reads_border;
  struct zecl_engine_sampler *engine;
};

static inline struct zecl_sampler *zecl_sampler_of(ze_sampler_handle_t handle) {
  return (struct zecl_sampler *)(void *)handle;
}

void zecl_sampler_release(struct zecl_sampler *sampler);

#endif
