# The rooms of the project as libraries, and the tools.

# Sources of the given folders (not of folders in them), as a list in the variable OUT.
function(lacuna_sources out)
  set(patterns)
  foreach(folder IN LISTS ARGN)
    list(APPEND patterns ${folder}/*.c ${folder}/*.cpp ${folder}/*.h ${folder}/*.hpp)
  endforeach()
  file(GLOB found CONFIGURE_DEPENDS LIST_DIRECTORIES false ${patterns})
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# A room's folder and the folders in it, two deep, in the variable OUT.
function(lacuna_folders out room)
  file(GLOB inner CONFIGURE_DEPENDS LIST_DIRECTORIES true
       ${PROJECT_SOURCE_DIR}/${room}/* ${PROJECT_SOURCE_DIR}/${room}/*/*)
  set(folders ${PROJECT_SOURCE_DIR}/${room})
  foreach(path IN LISTS inner)
    if(IS_DIRECTORY ${path})
      list(APPEND folders ${path})
    endif()
  endforeach()
  set(${out} ${folders} PARENT_SCOPE)
endfunction()

# lacuna_room(NAME SOURCES FOLDER [USES LIBRARY...])
# The library lacuna_<NAME> with the sources in the folder and in those below it, and what TableGen
# makes for it.  A file's name is its own in the whole project: headers are included by it alone.
function(lacuna_room name)
  cmake_parse_arguments(ROOM "" "SOURCES" "USES" ${ARGN})
  lacuna_folders(folders ${ROOM_SOURCES})
  lacuna_sources(sources ${folders})
  get_property(generated GLOBAL PROPERTY LACUNA_GENERATED_${name})
  # So that a room with nothing in it yet is a library too.
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}/room.c CONTENT "extern int lacuna_room;\n")
  add_library(lacuna_${name} STATIC ${sources} ${generated} ${PROJECT_BINARY_DIR}/${name}/room.c)
  target_include_directories(lacuna_${name} PUBLIC ${folders})
  target_include_directories(lacuna_${name} SYSTEM PUBLIC ${PROJECT_BINARY_DIR}/${name})
  target_link_libraries(lacuna_${name} PUBLIC ${ROOM_USES} lacuna_mlir PRIVATE lacuna_options)
endfunction()

# Versions that may differ in their binary interface differ in their SONAME: those before 1.0 by the
# minor number.
set(LACUNA_SONAME VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# The runtime, twice: liblacuna_runtime.so for compiled kernels and C callers, and the same objects
# as an archive for tools that want to stand alone.  Its headers alone are lacuna_runtime_headers.
function(lacuna_runtime)
  lacuna_sources(sources ${PROJECT_SOURCE_DIR}/runtime)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/runtime/room.c CONTENT "extern int lacuna_room;\n")
  configure_file(${PROJECT_SOURCE_DIR}/runtime/lac_version.h.in
                 ${PROJECT_BINARY_DIR}/runtime/lac_version.h @ONLY)
  add_library(lacuna_runtime_headers INTERFACE)
  target_include_directories(lacuna_runtime_headers INTERFACE
    ${PROJECT_SOURCE_DIR}/runtime ${PROJECT_BINARY_DIR}/runtime)

  add_library(lacuna_runtime_objects OBJECT ${sources} ${PROJECT_BINARY_DIR}/runtime/room.c)
  target_link_libraries(lacuna_runtime_objects
    PUBLIC lacuna_runtime_headers lacuna_zlib_etc PRIVATE lacuna_options)
  foreach(kind IN ITEMS SHARED STATIC)
    set(target lacuna_runtime)
    if(kind STREQUAL STATIC)
      set(target lacuna_runtime_static)
    endif()
    add_library(${target} ${kind} $<TARGET_OBJECTS:lacuna_runtime_objects>)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME lacuna_runtime INSTALL_RPATH ""
      ${LACUNA_SONAME})
    target_link_libraries(${target}
      PUBLIC lacuna_runtime_headers lacuna_zlib_etc PRIVATE lacuna_options)
  endforeach()
endfunction()

# lacuna_library(): liblacuna.so, the compiler for programs in C: the rooms whole, the C API of MLIR
# whole, since it comes as archives alone, and of all their symbols those that cmake/lacuna.map names.
function(lacuna_library)
  add_library(lacuna SHARED ${PROJECT_BINARY_DIR}/compile/room.c)
  set(map ${PROJECT_SOURCE_DIR}/cmake/lacuna.map)
  set_target_properties(lacuna PROPERTIES LINKER_LANGUAGE CXX LINK_DEPENDS ${map} ${LACUNA_SONAME}
    LINK_LIBRARY_OVERRIDE WHOLE_ARCHIVE,lacuna_compile,lacuna_lower,lacuna_passes,lacuna_dialects)
  target_link_options(lacuna PRIVATE -Wl,--version-script=${map})
  target_link_libraries(lacuna PRIVATE lacuna_options
    -Wl,--whole-archive ${LACUNA_CAPI_ARCHIVES} -Wl,--no-whole-archive
    lacuna_compile lacuna_lower lacuna_passes lacuna_dialects lacuna_runtime)
endfunction()

# lacuna_tools(): build/bin/sparse-<name> from tools/sparse-<name>.c and tools/<name>/*.c.
# What tools share stands in tools/driver, the library lacuna_driver.  A tool links the compiler and
# the runtime; those in LACUNA_SMALL_TOOLS the runtime alone.
set(LACUNA_SMALL_TOOLS sparse-gen)
function(lacuna_tools)
  lacuna_sources(driver ${PROJECT_SOURCE_DIR}/tools/driver)
  if(driver)
    lacuna_room(driver SOURCES tools/driver USES lacuna_compile lacuna_runtime lacuna_paths)
  endif()
  file(GLOB mains CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/sparse-*.c)
  foreach(main IN LISTS mains)
    get_filename_component(tool ${main} NAME_WE)
    string(REPLACE sparse- "" part ${tool})
    lacuna_executable(${tool} ${main} tools/${part})
  endforeach()
endfunction()

# lacuna_executable(NAME MAIN FOLDER): build/bin/NAME from the file MAIN, where that is not empty, and
# the sources in FOLDER.  With the compiler in it, it exports its symbols: to kernels that are
# compiled in the process, and to level formats in a library that the user loads.
function(lacuna_executable name main folder)
  lacuna_sources(sources ${PROJECT_SOURCE_DIR}/${folder})
  add_executable(${name} ${main} ${sources})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/${folder})
  target_link_libraries(${name} PRIVATE lacuna_options)
  if(name IN_LIST LACUNA_SMALL_TOOLS)
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tools/driver/complain.c
      ${PROJECT_SOURCE_DIR}/tools/driver/whole_number.c
      ${PROJECT_SOURCE_DIR}/tools/driver/version.c
      ${PROJECT_SOURCE_DIR}/dialects/nearest.c)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tools/driver
      ${PROJECT_SOURCE_DIR}/dialects)
    target_link_libraries(${name} PRIVATE lacuna_runtime_static)
    return()
  endif()
  # The whole of `lower`, since level formats register themselves at start and nothing names them.
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX ENABLE_EXPORTS ON
    LINK_LIBRARY_OVERRIDE_lacuna_lower WHOLE_ARCHIVE)
  if(TARGET lacuna_driver)
    target_link_libraries(${name} PRIVATE lacuna_driver)
  endif()
  target_link_libraries(${name} PRIVATE
    lacuna_compile lacuna_lower lacuna_passes lacuna_dialects lacuna_runtime lacuna_paths)
endfunction()

# lacuna_bench(): Lacuna's side of the benchmark, build/bin/bench-lacuna and, for f32,
# bench-lacuna-f32, and bench-pack, which makes operands of files.  The peers' programs are compiled by bench/run.sh, since they may be missing.
function(lacuna_bench)
  lacuna_sources(harness ${PROJECT_SOURCE_DIR}/bench)
  list(FILTER harness EXCLUDE REGEX "/(pack|triad)\\.c$")
  foreach(program bench-lacuna bench-lacuna-f32)
    lacuna_executable(${program} "${harness}" bench/lacuna)
    target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/bench)
  endforeach()
  target_compile_definitions(bench-lacuna-f32 PRIVATE BENCH_F32)
  add_executable(bench-pack ${PROJECT_SOURCE_DIR}/bench/pack.c)
  target_link_libraries(bench-pack PRIVATE lacuna_runtime_static lacuna_options)
endfunction()

# lacuna_fuzzers(): fuzz-<name> from test/fuzz/<name>.c and what they share, in test/fuzz/common: in the
# build for fuzzing (preset `fuzz`) a fuzzer, in others what runs the inputs that it is given.
function(lacuna_fuzzers)
  add_custom_target(fuzzers)
  file(GLOB mains CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/fuzz/*.c)
  foreach(main IN LISTS mains)
    get_filename_component(name ${main} NAME_WE)
    lacuna_executable(fuzz-${name} ${main} test/fuzz/common)
    if(LACUNA_SANITIZE MATCHES fuzzer)
      target_link_options(fuzz-${name} PRIVATE -fsanitize=fuzzer)
    else()
      target_sources(fuzz-${name} PRIVATE ${PROJECT_SOURCE_DIR}/test/fuzz/replay/replay.c)
    endif()
    add_dependencies(fuzzers fuzz-${name})
  endforeach()
endfunction()

# Where things are on this machine, for tools that need to know.
add_library(lacuna_paths INTERFACE)
target_compile_definitions(lacuna_paths INTERFACE
  LACUNA_LIBOMP="${LACUNA_LIBOMP}")

# lacuna_tests(): what lit needs to know of this build, and the differential tester.
function(lacuna_tests)
  if(EXISTS ${PROJECT_SOURCE_DIR}/test/differential)
    lacuna_executable(differential "" test/differential)
  endif()
  set(LACUNA_INCLUDE_FLAGS "")
  foreach(room IN ITEMS dialects passes lower compile runtime)
    lacuna_folders(folders ${room})
    foreach(folder IN LISTS folders)
      string(APPEND LACUNA_INCLUDE_FLAGS "-I${folder} ")
    endforeach()
  endforeach()
  string(APPEND LACUNA_INCLUDE_FLAGS "-I${PROJECT_BINARY_DIR}/runtime ")
  list(REMOVE_DUPLICATES MLIR_INCLUDE_DIRS)
  foreach(folder IN LISTS MLIR_INCLUDE_DIRS)
    string(APPEND LACUNA_INCLUDE_FLAGS "-isystem ${folder} ")
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/test/lit.site.cfg.py.in
                 ${PROJECT_BINARY_DIR}/test/lit.site.cfg.py @ONLY)
endfunction()
