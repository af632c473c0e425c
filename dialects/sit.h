/* sit.h - the sparse iteration dialect, from C.
 *
 * Operations are made and read with mlir-c/IR.h; attributes' names are those of dialects/Sit.td.
 */
#ifndef LACUNA_SIT_H
#define LACUNA_SIT_H

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Sit, sit);

/* !sit.pos and !sit.var<T> */
bool sitTypeIsAPosition(MlirType type);
MlirType sitPositionTypeGet(MlirContext context);
bool sitTypeIsAVar(MlirType type);
MlirType sitVarTypeGet(MlirType element);
MlirType sitVarTypeGetElement(MlirType var);

#ifdef __cplusplus
}
#endif
#endif
