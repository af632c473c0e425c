/* lac_driver.h - inside the runtime: what is known of the GPU, entered before (lac_device_kind.h).
 */
#ifndef LAC_DRIVER_H
#define LAC_DRIVER_H

#include "lac_device_kind.h"

#ifdef __cplusplus
extern "C" {
#endif

const char *lac_driver_name(void);
int32_t lac_driver_architecture(void);

#ifdef __cplusplus
}
#endif
#endif
