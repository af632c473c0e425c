/* cin.h - the concrete index notation dialect, from C.
 *
 * Operations are made and read with mlir-c/IR.h; attributes' names are those of dialects/Cin.td.
 */
#ifndef LACUNA_CIN_H
#define LACUNA_CIN_H

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Cin, cin);

/* !cin.index */
bool cinTypeIsAIndexVariable(MlirType type);
MlirType cinIndexVariableTypeGet(MlirContext context);

/* The `unit` of a cin.forall or sit.coiterate and its `race` strategy, numbered as in Cin.td. */
typedef enum cin_unit {
  CIN_SERIAL,
  CIN_CPU_THREAD,
  CIN_CPU_VECTOR,
  CIN_GPU_BLOCK,
  CIN_GPU_WARP,
  CIN_GPU_THREAD
} cin_unit;
typedef enum cin_race {
  CIN_NO_RACES,
  CIN_IGNORE_RACES,
  CIN_ATOMICS,
  CIN_TEMPORARY,
  CIN_PARALLEL_REDUCTION
} cin_race;

/* From and to their words ("cpu_thread", "no_races"); false where the word is none of them. */
const char *cin_unit_name(cin_unit unit);
const char *cin_race_name(cin_race race);
bool cin_unit_from_name(MlirStringRef name, cin_unit *unit);
bool cin_race_from_name(MlirStringRef name, cin_race *race);

/* Read and write them on a cin.forall or sit.coiterate. */
cin_unit cin_op_unit(MlirOperation op);
cin_race cin_op_race(MlirOperation op);
void cin_op_set_parallel(MlirOperation op, cin_unit unit, cin_race race);

#ifdef __cplusplus
}
#endif
#endif
