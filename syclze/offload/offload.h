/* Offload images: what a SYCL compiler emits, run from C. Everything of the wing:
 *
 *   image.h          one device image as found, and what its bytes say that it is
 *   container.h      the Offload Binary: images in a row, with their strings
 *   property_set.h   DPC++'s property sets; property_names.h their names, property_write.h writing
 *   sink.h           writing into a caller's buffer
 *
 * Not part of syclze.h: a program that wants it asks for it. */
#ifndef SYCLZE_OFFLOAD_OFFLOAD_H
#define SYCLZE_OFFLOAD_OFFLOAD_H

#include "container.h"
#include "image.h"
#include "property_names.h"
#include "property_set.h"
#include "property_write.h"
#include "sink.h"

#endif
