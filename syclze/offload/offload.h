/* Offload images: what a SYCL compiler emits, run from C. Everything of the wing:
 *
 *   image.h          one device image as found, and what its bytes say that it is
 *   container.h      the Offload Binary: images in a row, with their strings
 *   container_index.h  one opened for look-ups; container_write.h writing; inflate.h unpacking
 *   file.h           every device image in a file, whatever the file is
 *   embed.h          files built into a program, and finding them there
 *   elf.h coff.h     the sections of an ELF file, or of one for Windows
 *   zebin.h          Intel's native binary: for which GPU, which kernels
 *   archive.h        ocloc's fat archive; ip_version.h the versions of GPUs
 *   property_set.h   DPC++'s property sets; property_names.h their names, property_write.h writing
 *   sink.h           writing into a caller's buffer
 *   spirv.h          what a runtime must know of SPIR-V; spirv_index.h, spirv_grammar.h its parts
 *   split.h          SPIR-V divided by kernel or requirement
 *   split_reach.h split_pieces.h spirv_use.h  its parts
 *   spec_constant.h  specialisation constants, by name and by number; spec_read.h reads them
 *   symbol_table.h   the kernels' names of an image
 *   image_set.h      sets of images, by the names of their kernels; image_table.h their table
 *   hash.h key.h    what sets and caches are made with
 *   requirement.h    what images require of devices; device_traits.h what devices have
 *   selection.h      which image a device runs a kernel from; selection_judge.h of one image
 *   program.h        kernels by name, built on demand
 *   program_request.h module_build.h bundle_cache.h disk_cache.h  its parts
 *   registry.h       images that compilers register with the program
 *
 * Not part of syclze.h: a program that wants it asks for it. */
#ifndef SYCLZE_OFFLOAD_OFFLOAD_H
#define SYCLZE_OFFLOAD_OFFLOAD_H

#include "archive.h"
#include "bundle_cache.h"
#include "coff.h"
#include "container.h"
#include "container_index.h"
#include "container_write.h"
#include "device_traits.h"
#include "disk_cache.h"
#include "elf.h"
#include "embed.h"
#include "file.h"
#include "hash.h"
#include "image.h"
#include "image_set.h"
#include "image_table.h"
#include "inflate.h"
#include "ip_version.h"
#include "key.h"
#include "module_build.h"
#include "program.h"
#include "program_request.h"
#include "property_names.h"
#include "property_set.h"
#include "property_write.h"
#include "registry.h"
#include "requirement.h"
#include "selection.h"
#include "selection_judge.h"
#include "sink.h"
#include "spec_constant.h"
#include "spec_read.h"
#include "spirv.h"
#include "spirv_grammar.h"
#include "spirv_index.h"
#include "spirv_use.h"
#include "split.h"
#include "split_pieces.h"
#include "split_reach.h"
#include "symbol_table.h"
#include "zebin.h"

#endif
