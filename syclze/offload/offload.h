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

#include "detail/archive.h"
#include "detail/bundle_cache.h"
#include "detail/coff.h"
#include "container.h"
#include "detail/container_index.h"
#include "detail/container_write.h"
#include "detail/device_traits.h"
#include "detail/disk_cache.h"
#include "detail/elf.h"
#include "embed.h"
#include "file.h"
#include "detail/hash.h"
#include "device_image.h"
#include "image_set.h"
#include "detail/image_table.h"
#include "detail/inflate.h"
#include "detail/ip_version.h"
#include "detail/cache_key.h"
#include "detail/module_build.h"
#include "program.h"
#include "detail/program_request.h"
#include "detail/property_names.h"
#include "property_set.h"
#include "detail/property_write.h"
#include "registry.h"
#include "detail/requirement.h"
#include "selection.h"
#include "detail/image_match.h"
#include "detail/buffer_writer.h"
#include "spec_constant.h"
#include "detail/spec_constant_reader.h"
#include "spirv.h"
#include "detail/spirv_grammar.h"
#include "detail/spirv_index.h"
#include "detail/spirv_use.h"
#include "split.h"
#include "detail/split_writer.h"
#include "detail/split_liveness.h"
#include "detail/symbol_table.h"
#include "detail/zebin.h"

#endif
