/**
 * @file
 * Offload images: what a SYCL compiler emits, run from C. Umbrella of the headers of this folder:
 *
 *   device_image.h     a device image as found, and the format of its bytes
 *   container.h        the Offload Binary: reading, look-ups, writing
 *   inflate.h          decompression; deflate.h compression
 *   file.h             every device image in a file, whatever the file is
 *   embed.h            files built into a program
 *   elf.h coff.h       the sections of an ELF file, or of one for Windows
 *   zebin.h            Intel's native binary: its target, its kernels
 *   archive.h          ocloc's fat archive
 *   ip_version.h       the versions of GPUs
 *   property_set.h     DPC++'s property sets; property_names.h their names
 *   spirv.h            SPIR-V: kernels, arguments, requirements, symbols, constants
 *   kernel_info.h      the arguments that the compiler removed, and other properties of a kernel
 *   spec_constant.h    specialisation constants, by name and by number
 *   symbol_table.h     the names of an image's kernels
 *   image_set.h        sets of images, by the names of their kernels
 *   device_traits.h    the properties of a device that images may require
 *   requirement.h      whether a device meets an image's requirements
 *   selection.h        the image from which a device runs a kernel
 *   module_build.h     modules of selected images
 *   program.h          kernels by name, built on demand
 *   registry.h         images that compilers register with the program
 *
 * launch.h, which launches kernels by name, and global.h, which copies variables, are included by
 * name, since they need command groups; kernel_source.h, which compiles OpenCL C, since it runs
 * compilers. So are split.h, which divides SPIR-V by kernel or requirement, division.h, which does
 * so when a kernel is selected, and bitcode.h, which reads what LLVM's bitcode embeds.
 *
 * Not part of syclze.h: a program that needs it includes it by name. Threads: as each header says.
 */
#ifndef SYCLZE_OFFLOAD_OFFLOAD_H
#define SYCLZE_OFFLOAD_OFFLOAD_H

#include "archive.h"
#include "coff.h"
#include "container.h"
#include "deflate.h"
#include "device_image.h"
#include "device_traits.h"
#include "elf.h"
#include "embed.h"
#include "file.h"
#include "image_set.h"
#include "inflate.h"
#include "ip_version.h"
#include "kernel_info.h"
#include "module_build.h"
#include "program.h"
#include "property_names.h"
#include "property_set.h"
#include "registry.h"
#include "requirement.h"
#include "selection.h"
#include "spec_constant.h"
#include "spirv.h"
#include "symbol_table.h"
#include "zebin.h"

#endif
