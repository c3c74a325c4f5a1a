# find_package(driftless) gives driftless::driftless and driftless::testset.

include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/driftless")

foreach(header IN LISTS DRIFTLESS_INSTALLED_HEADERS)
  cmake_path(GET header PARENT_PATH folder)
  driftless_header_file(file ${header})
  install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${folder}")
endforeach()

install(TARGETS driftless driftless_testset EXPORT driftlessTargets)
install(EXPORT driftlessTargets NAMESPACE driftless:: DESTINATION "${package_folder}")

configure_package_config_file(cmake/driftlessConfig.cmake.in "${PROJECT_BINARY_DIR}/driftlessConfig.cmake"
  INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/driftlessConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/driftlessConfig.cmake" "${PROJECT_BINARY_DIR}/driftlessConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindSuiteSparse.cmake"
  DESTINATION "${package_folder}")

install(FILES completions/driftless.bash DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME driftless)
install(FILES completions/_driftless DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES completions/driftless.fish DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
install(DIRECTORY examples/models DESTINATION "${CMAKE_INSTALL_DATADIR}/driftless" FILES_MATCHING PATTERN "*.mo")
