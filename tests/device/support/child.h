/* Cases that run in a child process in which Level Zero was not called yet; the parent must not
   have called it either. */
#ifndef TESTS_DEVICE_CHILD_H
#define TESTS_DEVICE_CHILD_H

/* Runs the body in a child that ends through exit(). A failed check in the child is a failure here.
   Returns the body's result, 0 to 100. */
int in_child(int (*body)(int argument), int argument);

#endif
