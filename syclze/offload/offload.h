/* Offload images: what a SYCL compiler emits, run from C. Everything of the wing:
 *
 *   image.h          one device image as found, and what its bytes say that it is
 *   container.h      the Offload Binary: images in a row, with their strings
 *   container_index.h  one opened for look-ups; container_write.h writing; inflate.h unpacking
 *   file.h           every device image in a file, whatever the file is
 *   embed.h          files built into a program, and finding them there
 *   elf.h            the sections of an ELF file
 *   zebin.h          Intel's native binary: for which GPU, which kernels
 *   archive.h        ocloc's fat archive; ip_version.h the versions of GPUs
 *   property_set.h   DPC++'s property sets; property_names.h their names, property_write.h writing
 *   sink.h           writing into a caller's buffer
 *
 * Not part of syclze.h: a program that wants it asks for it. */
#ifndef SYCLZE_OFFLOAD_OFFLOAD_H
#define SYCLZE_OFFLOAD_OFFLOAD_H

#include "archive.h"
#include "container.h"
#include "container_index.h"
#include "container_write.h"
#include "elf.h"
#include "embed.h"
#include "file.h"
#include "image.h"
#include "inflate.h"
#include "ip_version.h"
#include "property_names.h"
#include "property_set.h"
#include "property_write.h"
#include "sink.h"
#include "zebin.h"

#endif
