/* Offload images: what a SYCL compiler emits, run from C. Everything of the wing:
 *
 *   image.h          one device image as found, and what its bytes say that it is
 *   container.h      the Offload Binary: images in a row, with their strings
 *
 * Not part of syclze.h: a program that wants it asks for it. */
#ifndef SYCLZE_OFFLOAD_OFFLOAD_H
#define SYCLZE_OFFLOAD_OFFLOAD_H

#include "container.h"
#include "image.h"

#endif
