/* The kinds of objects that the libcuda of the tests counts. */
#ifndef LIBCUDA_KINDS_H
#define LIBCUDA_KINDS_H

enum libcuda_kind {
  LIBCUDA_DEVICE_MEMORY,
  LIBCUDA_MANAGED,
  LIBCUDA_HOST,
  LIBCUDA_STREAMS,
  LIBCUDA_LIBRARIES,
  LIBCUDA_ARRAYS,
  LIBCUDA_TEXTURES,
  LIBCUDA_SURFACES,
  LIBCUDA_REGISTERED, /* memory of the process */
  LIBCUDA_RESERVATIONS,
  LIBCUDA_PHYSICAL,
  LIBCUDA_SEMAPHORES,
  LIBCUDA_GRAPHS, /* executable ones */
  LIBCUDA_KINDS
};

#endif
