/* device_flag.h - what `--target` says of devices, or LACUNA_TARGET in its place. */
#ifndef LACUNA_DEVICE_FLAG_H
#define LACUNA_DEVICE_FLAG_H

#include <stdbool.h>

/* The device of a pipeline's options, as device_target.h finds it; NULL for the CPU.  False with a
 * message on stderr where there is none such. */
bool device_flag_find(const char *target, bool runs, const char **device);

#endif
