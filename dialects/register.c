/* register.c - the three dialects, into a registry. */
#include "register.h"

#include "cin.h"
#include "sit.h"
#include "tin.h"

void lacuna_register_dialects(MlirDialectRegistry registry) {
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__tin__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__cin__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__sit__(), registry);
}
