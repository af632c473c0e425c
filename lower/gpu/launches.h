/* launches.h - launches and their kernels, for the files of lower-launches. */
#ifndef LACUNA_LAUNCHES_H
#define LACUNA_LAUNCHES_H

#include "builder.h"
#include "op_list.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the names of constants that hold the code of a gpu.module. */
#define IMAGE_PREFIX "lac_image_"

/* A gpu.launch_func and the gpu.func that it runs, which is its alone. */
typedef struct device_launch {
  MlirOperation op, kernel, container; /* `container` is the gpu.module */
  intptr_t count;                      /* of what is passed */
} device_launch;

/* Operands of gpu.launch_func: the sizes of grid and block stand before what is passed. */
enum { LAUNCH_BLOCKS = 0, LAUNCH_THREADS = 3, LAUNCH_PASSED = 6 };

/* The operation of a block that has that name as its symbol; null for none. */
MlirOperation find_symbol(MlirBlock block, MlirStringRef name);

/* Whether an operation takes memory for a launch alone (lac_device.h). */
bool launch_scratch_is(MlirOperation op);

/* Whether an operation is a gpu.launch_func, what one of the module launches, what it passes. */
bool launch_is(MlirOperation op);
device_launch launch_of(MlirOperation module, MlirOperation op);
MlirValue launch_passed(const device_launch *l, intptr_t i);

/* Where the host's status is, which a launch is passed; null where it is not. */
MlirValue launch_status(MlirOperation op);

/* What a kernel takes for a value that is passed: values of types that have no parts. */
typedef enum parameter_kind {
  PARAMETER_SCALAR,  /* itself */
  PARAMETER_INDEX,   /* i64 */
  PARAMETER_COMPLEX, /* its two parts */
  PARAMETER_ARRAY,   /* its address on the device, and its length as i64 */
  PARAMETER_STATUS   /* nothing: it says where the host's status is */
} parameter_kind;
parameter_kind parameter_kind_of(MlirType type);

/* How many values that are, and of which types; an array's address is a `pointer`. */
int parameter_types(builder *b, MlirType type, MlirType pointer, MlirType types[2]);

/* The value that was passed, from what the kernel takes for it. */
MlirValue parameter_rebuild(builder *b, MlirType type, const MlirValue *parts);

/* What a kernel does with an array that it is passed (LAC_DEVICE_READS, LAC_DEVICE_WRITES). */
int32_t parameter_use(MlirValue array);

/* Gives the kernel parameters that have no parts (device_kernel.c). */
void device_kernel_flatten(builder *b, const device_launch *l);

/* Makes a function of the host of the kernel, which a thread of the emulated device calls
 * (emulated_kernel.c): its name. */
MlirStringRef emulated_kernel_make(builder *b, const device_launch *l);

/* What its blocks share, in the order of the kernel's last arguments: bytes in all. */
int64_t emulated_shared_bytes(const device_launch *l);

#ifdef __cplusplus
}
#endif
#endif
