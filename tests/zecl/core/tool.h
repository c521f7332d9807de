/* Programs that zecl runs: translators and linkers of SPIR-V. No shell is involved. */
#ifndef ZECL_CORE_TOOL_H
#define ZECL_CORE_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include "core/text.h"

/* The path of `name` as PATH finds it, into `path`; a name with a slash stands for itself. */
bool zecl_tool_find(const char *name, char *path, size_t size);

/* Runs a program to its end. Its output is added to the log, and its exit if that was a failure.
 * True if it exited with status 0. */
bool zecl_tool_run(char *const argv[], struct zecl_text *log);

/* A private folder for files that tools exchange. */
struct zecl_tool_folder {
  char path[256];
};

bool zecl_tool_folder_make(struct zecl_tool_folder *folder, struct zecl_text *log);
/* `path` becomes that of a file `name` in the folder. */
void zecl_tool_folder_file(
    const struct zecl_tool_folder *folder, const char *name, char *path, size_t size);
bool zecl_tool_write(const char *path, const void *bytes, size_t size, struct zecl_text *log);
/* Appends the file's bytes to `out`. */
bool zecl_tool_read(const char *path, struct zecl_text *out, struct zecl_text *log);
/* Removes the files in the folder and the folder. */
void zecl_tool_folder_remove(struct zecl_tool_folder *folder);

#endif
