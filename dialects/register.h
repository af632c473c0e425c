/* register.h - the three dialects, into a registry. */
#ifndef LACUNA_REGISTER_H
#define LACUNA_REGISTER_H

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Inserts tin, cin and sit, so that contexts of the registry load them when they see them. */
void lacuna_register_dialects(MlirDialectRegistry registry);

#ifdef __cplusplus
}
#endif
#endif
