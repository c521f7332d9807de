/* A function that may call itself, since it calls through a pointer to functions of its type. */
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

typedef int (*function)(int);

int again(int a) {
  return a ? ((function)(ulong)a)(a - 1) : 0;
}

__kernel void start(ulong pointer, __global int *to) {
  *to = ((function)pointer)(3);
}
