/* Cases that are a process of their own, in which nobody has called Level Zero yet: the parent must
   not have either. */
#ifndef TESTS_DEVICE_CHILD_H
#define TESTS_DEVICE_CHILD_H

/* Runs the body in a child, which ends as if from main. Checks that it ended well; a failed check
   in the child, which leads nowhere there, is a failure here. What the body returned, 0 to 100. */
int in_child(int (*body)(int argument), int argument);

#endif
