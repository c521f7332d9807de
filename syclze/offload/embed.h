/**
 * @file
 * Device images built into a program, with no tool but the compiler: GCC or Clang, for ELF.
 *
 * In one file, outside of any function, and in the functions of the same file:
 *
 *     #include "syclze/offload/embed.h"
 *     syclze_embed("kernels/saxpy.spv", saxpy_image);
 *
 *     static syclze_bytes saxpy(void) {
 *       return syclze_embedded(saxpy_image);
 *     }
 *
 * All images of the program or shared object, without their names:
 *
 *     syclze_offload_file_cursor cursor = syclze_embedded_images();
 *     syclze_offload_image image;
 *     while (syclze_offload_file_next(&cursor, &image)) {
 *       syclze_text name = syclze_offload_image_text(&image, "name");
 *       printf("%.*s: %zu bytes\n", (int)name.size, name.data, image.bytes.size);
 *     }
 *
 * They stand in the section `sycl_images`: each an Offload Binary of version 1 around the file's
 * bytes, padded to 8, so that LLVM's tools read the section too, and so that the output of a
 * compiler or a packager may be put there as well. Ownership: the images live as long as the
 * program or the shared object is loaded. Threads: any number may read. A missing file is an error
 * of the compiler.
 */
#ifndef SYCLZE_OFFLOAD_EMBED_H
#define SYCLZE_OFFLOAD_EMBED_H

#include "file.h"

SYCLZE_EXTERN_C_BEGIN

#ifdef __ELF__

/* Private: the linker's names of the section's ends; null where nothing is embedded. */
extern const uint8_t syclze__embedded_begin[] __asm__("__start_sycl_images")
    __attribute__((weak, visibility("hidden")));
extern const uint8_t syclze__embedded_end[] __asm__("__stop_sycl_images")
    __attribute__((weak, visibility("hidden")));

/**
 * A cursor over the images that are embedded in the caller's program or shared object.
 *
 * @return the cursor; without images its iteration ends at once. Never null.
 * Threads: as the head of this file.
 * @see offload design, Front-end host compilation
 */
SYCLZE_INLINE syclze_offload_file_cursor syclze_embedded_images(void);

/** The bytes of the file that is embedded under this name in the same file. */
#define syclze_embedded(name)                                                                      \
  syclze_bytes_of(syclze__file_##name, (size_t)(syclze__file_end_##name - syclze__file_##name))

/** Embeds a file: a path as a string literal, relative to a folder that the compiler searches for
 * headers or to its working folder, and a C name that is unique in the program. The name is also
 * the value of the image's key "name". Ends with a semicolon, outside of any function. The
 * compiler's list of dependencies lacks the file: a make rule must name it. GCC with LLD and
 * --gc-sections needs -Wl,-z,nostart-stop-gc too. */
#define syclze_embed(file, name)                                                                   \
  SYCLZE__EMBED_BLOB(file, #name);                                                                 \
  SYCLZE__EMBED_DECLARE(name)

/** Embeds a file of Offload Binaries, a packager's output, unchanged. */
#define syclze_embed_container(file, name)                                                         \
  SYCLZE__EMBED_SECTION(SYCLZE__EMBED_FILE(file, #name));                                          \
  SYCLZE__EMBED_DECLARE(name)

#define SYCLZE__EMBED_DECLARE(name)                                                                \
  extern const uint8_t syclze__file_##name[] __asm__("syclze_embedded_" #name)                     \
      __attribute__((visibility("hidden")));                                                       \
  extern const uint8_t syclze__file_end_##name[] __asm__("syclze_embedded_end_" #name)             \
      __attribute__((visibility("hidden")))

/* R keeps the section from LLD's garbage collection. Older assemblers of GNU do not know the
 * letter; the linkers that come with them keep the section anyway. */
#if defined(__clang__) && __clang_major__ >= 13
#define SYCLZE__EMBED_FLAGS "aR"
#else
#define SYCLZE__EMBED_FLAGS "a"
#endif

#define SYCLZE__EMBED_SECTION(text)                                                                \
  __asm__(".pushsection sycl_images,\"" SYCLZE__EMBED_FLAGS "\",@progbits\n"                       \
          ".balign 8\n" text ".balign 8\n"                                                         \
          ".popsection\n")

#define SYCLZE__EMBED_FILE(file, name)                                                             \
  ".globl syclze_embedded_" name "\n"                                                              \
  ".hidden syclze_embedded_" name "\n"                                                             \
  "syclze_embedded_" name ":\n"                                                                    \
  ".incbin \"" file "\"\n"                                                                         \
  ".globl syclze_embedded_end_" name "\n"                                                          \
  ".hidden syclze_embedded_end_" name "\n"                                                         \
  "syclze_embedded_end_" name ":\n"

/* Version 1: the header, the entry of kind SYCL, one record, its key and value, the image. Numbers
 * are distances between the labels 771 (the blob), 772 (the entry), 773 (the record), 774 (the
 * key), 775 (the value) and 776 (the image's end, padded). */
#define SYCLZE__EMBED_BLOB(file, name)                                                             \
  SYCLZE__EMBED_SECTION("771: .4byte 0xad10ff10, 1\n"                                              \
                        ".8byte 776f - 771b, 772f - 771b, 773f - 772f\n"                           \
                        "772: .2byte 0, 8\n.4byte 0\n"                                             \
                        ".8byte 773f - 771b, 1, syclze_embedded_" name " - 771b\n"                 \
                        ".8byte syclze_embedded_end_" name " - syclze_embedded_" name "\n"         \
                        "773: .8byte 774f - 771b, 775f - 771b\n"                                   \
                        "774: .asciz \"name\"\n"                                                   \
                        "775: .asciz \"" name "\"\n"                                               \
                        ".balign 8\n" SYCLZE__EMBED_FILE(file, name) ".balign 8\n"                 \
                                                                     "776:\n")

#endif

SYCLZE_EXTERN_C_END

#include "detail/embed.h"

#endif
