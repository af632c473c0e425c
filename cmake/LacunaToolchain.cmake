# The toolchain: MLIR and LLVM 22, warnings, sanitizers.
#
# Gives the targets
#   lacuna_options   warnings, sanitizers and definitions for everything of ours
#   lacuna_mlir      headers of MLIR and LLVM, their C API (static archives, of which the linker
#                    takes what is used), the shared libraries MLIR and LLVM
#   lacuna_zlib_etc  what the runtime stands on: zlib, threads, libm

set(LACUNA_LLVM_MAJOR 22)
set(LACUNA_LLVM_ROOT /usr/lib/llvm-${LACUNA_LLVM_MAJOR})

# What LLVM's configuration looks for and we do not need.
foreach(package IN ITEMS FFI LibEdit zstd LibXml2 CURL)
  set(${package}_FIND_QUIETLY ON)
endforeach()
find_package(MLIR REQUIRED CONFIG HINTS ${LACUNA_LLVM_ROOT}/lib/cmake/mlir)
if(NOT LLVM_VERSION_MAJOR EQUAL LACUNA_LLVM_MAJOR)
  message(FATAL_ERROR "Lacuna needs MLIR ${LACUNA_LLVM_MAJOR}, found ${LLVM_VERSION} in ${MLIR_DIR}")
endif()
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)
find_library(LACUNA_LIBOMP NAMES omp libomp.so.5 HINTS ${LLVM_LIBRARY_DIR} REQUIRED)

add_library(lacuna_options INTERFACE)
target_compile_options(lacuna_options INTERFACE
  -Wall -Wextra
  $<$<COMPILE_LANGUAGE:C>:-Wvla>
  $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti -fno-exceptions>)
target_compile_definitions(lacuna_options INTERFACE _GNU_SOURCE)
# What the cache of compiled code knows a build by.
target_link_options(lacuna_options INTERFACE -Wl,--build-id=sha1)
if(LACUNA_SANITIZE)
  target_compile_options(lacuna_options INTERFACE
    -fsanitize=${LACUNA_SANITIZE} -fno-sanitize=vptr -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(lacuna_options INTERFACE -fsanitize=${LACUNA_SANITIZE})
endif()

# The archives of the C API name MLIR's own static libraries as what they need; the shared library
# holds all of those, so the archives are linked as files.
set(LACUNA_CAPI_ARCHIVES)
foreach(library IN ITEMS ${MLIR_EXPORTED_TARGETS})
  if(library MATCHES "^MLIRCAPI")
    list(APPEND LACUNA_CAPI_ARCHIVES $<TARGET_FILE:${library}>)
  endif()
endforeach()
add_library(lacuna_mlir INTERFACE)
target_include_directories(lacuna_mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_link_libraries(lacuna_mlir INTERFACE
  -Wl,--start-group ${LACUNA_CAPI_ARCHIVES} -Wl,--end-group
  $<TARGET_FILE:MLIR> $<TARGET_FILE:LLVM>)

add_library(lacuna_zlib_etc INTERFACE)
target_link_libraries(lacuna_zlib_etc INTERFACE ZLIB::ZLIB Threads::Threads m)
