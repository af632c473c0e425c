# TableGen: dialects and passes from their definitions.

# lacuna_tablegen(OUTPUT TD ARGUMENT...)
# Makes OUTPUT (relative to the build folder) from TD (relative to the project) with mlir-tblgen.
function(lacuna_tablegen output td)
  set(out ${PROJECT_BINARY_DIR}/${output})
  get_filename_component(folder ${out} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  set(if_changed)
  if(CMAKE_GENERATOR MATCHES Ninja)
    set(if_changed --write-if-changed)
  endif()
  add_custom_command(OUTPUT ${out}
    COMMAND mlir-tblgen ${ARGN} ${if_changed}
            -I ${PROJECT_SOURCE_DIR}/dialects -I ${MLIR_INCLUDE_DIRS}
            ${PROJECT_SOURCE_DIR}/${td} -o ${out} -d ${out}.d
    DEPENDS ${PROJECT_SOURCE_DIR}/${td} mlir-tblgen
    DEPFILE ${out}.d
    COMMENT "TableGen ${output}"
    VERBATIM)
endfunction()

# lacuna_dialect(NAME NAMESPACE), say lacuna_dialect(Tin tin)
# From dialects/NAME.td, where that exists, into build/dialects, which is on the include path of
# everything that sees the dialects:
#     <Name>Dialect.h.inc  <Name>Dialect.cpp.inc
#     <Name>Ops.h.inc      <Name>Ops.cpp.inc       the operations named NAMESPACE.*
#     <Name>Attrs.h.inc    <Name>Attrs.cpp.inc
#     <Name>Types.h.inc    <Name>Types.cpp.inc
#     <Name>Enums.h.inc    <Name>Enums.cpp.inc     every enum seen, those of included files too
function(lacuna_dialect name namespace)
  set(td dialects/${name}.td)
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${td})
    return()
  endif()
  foreach(half IN ITEMS "h;decls" "cpp;defs")
    list(GET half 0 kind)
    list(GET half 1 what)
    set(base dialects/${name})
    lacuna_tablegen(${base}Dialect.${kind}.inc ${td} -gen-dialect-${what} -dialect=${namespace})
    lacuna_tablegen(${base}Ops.${kind}.inc ${td} -gen-op-${what}
                    "-op-include-regex=^${namespace}\\.")
    lacuna_tablegen(${base}Attrs.${kind}.inc ${td} -gen-attrdef-${what}
                    -attrdefs-dialect=${namespace})
    lacuna_tablegen(${base}Types.${kind}.inc ${td} -gen-typedef-${what}
                    -typedefs-dialect=${namespace})
    lacuna_tablegen(${base}Enums.${kind}.inc ${td} -gen-enum-${what})
    foreach(part IN ITEMS Dialect Ops Attrs Types Enums)
      list(APPEND generated ${PROJECT_BINARY_DIR}/${base}${part}.${kind}.inc)
    endforeach()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY LACUNA_GENERATED_dialects ${generated})
endfunction()

# lacuna_passes_td(TD GROUP)
# From TD: build/passes/Passes.h.inc (the base class of each pass, its options and registration;
# register<GROUP>Passes()).
function(lacuna_passes_td td group)
  lacuna_tablegen(passes/Passes.h.inc ${td} -gen-pass-decls -name=${group})
  set_property(GLOBAL APPEND PROPERTY LACUNA_GENERATED_passes
               ${PROJECT_BINARY_DIR}/passes/Passes.h.inc)
endfunction()
