# What is installed, and where: below the prefix
#
#     bin/                  the tools
#     lib/                  liblacuna, liblacuna_runtime (shared, and as an archive)
#     lib/pkgconfig/        lacuna.pc, lacuna-runtime.pc
#     lib/cmake/Lacuna/     find_package(Lacuna)
#     include/lacuna/       the public headers, all in one folder
#     share/doc/lacuna/     pages, licence, changes
#
# The tree may be moved: tools and libraries find each other by where they are themselves, and so do
# the files of pkg-config and CMake.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(CMAKE_INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR} ${LLVM_LIBRARY_DIR})

set(LACUNA_PUBLIC_HEADERS
  compile/lacuna.h
  dialects/tin.h dialects/cin.h dialects/sit.h dialects/register.h
  dialects/level_format.h dialects/builder.h dialects/plugin_symbols.h
  runtime/lac_tensor.h runtime/lac_lend.h runtime/lac_error.h runtime/lac_file.h runtime/lac_coo.h runtime/lac_kernel.h
  runtime/lac_device.h)

# The build folder has the same face as a prefix: build/include/lacuna, build/lib, build/bin.
function(lacuna_stage_headers)
  set(folder ${PROJECT_BINARY_DIR}/include/lacuna)
  file(MAKE_DIRECTORY ${folder})
  foreach(header IN LISTS LACUNA_PUBLIC_HEADERS)
    get_filename_component(name ${header} NAME)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${header} ${folder}/${name} SYMBOLIC)
  endforeach()
  file(CREATE_LINK ${PROJECT_BINARY_DIR}/runtime/lac_version.h ${folder}/lac_version.h SYMBOLIC)
endfunction()

function(lacuna_install_headers)
  list(TRANSFORM LACUNA_PUBLIC_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE headers)
  install(FILES ${headers} ${PROJECT_BINARY_DIR}/runtime/lac_version.h
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lacuna)
endfunction()

function(lacuna_install_programs)
  file(GLOB mains RELATIVE ${PROJECT_SOURCE_DIR}/tools ${PROJECT_SOURCE_DIR}/tools/sparse-*.c)
  list(TRANSFORM mains REPLACE "\\.c$" "" OUTPUT_VARIABLE tools)
  install(TARGETS ${tools} lacuna lacuna_runtime lacuna_runtime_static
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# pkg-config files say where they are relative to themselves.
function(lacuna_install_pkgconfig)
  set(folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  file(RELATIVE_PATH LACUNA_UP /${folder} /)
  string(REGEX REPLACE "/$" "" LACUNA_UP ${LACUNA_UP})
  list(GET MLIR_INCLUDE_DIRS 0 LACUNA_MLIR_INCLUDE)
  foreach(name IN ITEMS lacuna lacuna-runtime)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${folder})
  endforeach()
endfunction()

function(lacuna_install_package)
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/Lacuna)
  list(GET MLIR_INCLUDE_DIRS 0 LACUNA_MLIR_INCLUDE)
  configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/LacunaConfig.cmake.in ${PROJECT_BINARY_DIR}/LacunaConfig.cmake
    INSTALL_DESTINATION ${folder}
    PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/LacunaConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/LacunaConfig.cmake
                ${PROJECT_BINARY_DIR}/LacunaConfigVersion.cmake DESTINATION ${folder})
endfunction()

function(lacuna_install_pages)
  file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/docs/*.svg)
  set(folder ${CMAKE_INSTALL_DATADIR}/doc/lacuna)
  install(FILES LICENSE CHANGELOG.md README.md DESTINATION ${folder})
  install(FILES ${pages} DESTINATION ${folder}/docs)
endfunction()

function(lacuna_install)
  lacuna_stage_headers()
  lacuna_install_headers()
  lacuna_install_programs()
  lacuna_install_pkgconfig()
  lacuna_install_package()
  lacuna_install_pages()
endfunction()
