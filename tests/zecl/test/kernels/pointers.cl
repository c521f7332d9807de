/* Calls through pointers to functions, which come as arguments, from memory or from the module. */
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

typedef int (*function)(int);
typedef void (*procedure)(__global int *, int);

int twice(int a) {
  return 2 * a;
}

int plus_place(int a) {
  return a + (int)get_global_id(0);
}

/* A function of the others' type, with a barrier: each item passes its value to the next one. */
void pass_on(__global int *to, int value) {
  const int place = (int)get_local_id(0), size = (int)get_local_size(0);
  to[place] = value + place;
  barrier(CLK_GLOBAL_MEM_FENCE);
  /* PoCL 7.1 would read it again behind the next barrier. */
  const int seen = ((volatile __global int *)to)[(place + 1) % size];
  barrier(CLK_GLOBAL_MEM_FENCE);
  to[place] = seen;
}

void put(__global int *to, int value) {
  to[get_global_id(0)] = value;
}

static int minus_one(int a) {
  return a - 1;
}

/* A kernel without pointers, which shows if an engine compiles a barrier in a branch. */
__kernel void choose(ulong which, __global int *to, int value) {
  if (which == 1)
    put(to, value);
  else
    pass_on(to, value);
}

__kernel void call(ulong pointer, __global int *to) {
  to[get_global_id(0)] = ((function)pointer)(5);
}

__kernel void call_procedure(ulong pointer, __global int *to, int value) {
  ((procedure)pointer)(to, value);
}

__kernel void call_each(__global const ulong *pointers, __global int *to) {
  const int place = (int)get_global_id(0);
  to[place] = ((function)pointers[place])(10);
}

__kernel void addresses(__global ulong *to) {
  to[0] = (ulong)(function)minus_one;
  to[1] = (ulong)(function)twice;
}
