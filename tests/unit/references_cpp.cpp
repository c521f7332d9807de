/* References in C++, where macros of the debug checker have the names of the overloads. */
#include "references_checked.c"
