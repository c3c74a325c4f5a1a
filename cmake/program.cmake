# The programs of apps/, and what `driftless` alone needs: JSON and HDF5. The library needs none of these.

find_package(nlohmann_json REQUIRED)

# The serial HDF5. Static where it is there: Debian's shared one loads 30 more libraries, which costs 5 ms of every start.
enable_language(C)  # FindHDF5 asks the C compiler
set(HDF5_PREFER_PARALLEL OFF)
set(HDF5_USE_STATIC_LIBRARIES ON)
find_package(HDF5 QUIET COMPONENTS C)
if(NOT HDF5_FOUND)
  set(HDF5_USE_STATIC_LIBRARIES OFF)
  find_package(HDF5 REQUIRED COMPONENTS C)
endif()

driftless_apps()

target_link_libraries(app_driftless PRIVATE nlohmann_json::nlohmann_json ${HDF5_C_LIBRARIES})
target_include_directories(app_driftless SYSTEM PRIVATE ${HDF5_C_INCLUDE_DIRS})
target_compile_definitions(app_driftless PRIVATE ${HDF5_C_DEFINITIONS})
target_link_options(app_driftless PRIVATE $<$<PLATFORM_ID:Linux>:-Wl,--as-needed>)
driftless_optimise(app_driftless 1)  # the library does the work; this only prints
target_compile_options(app_driftless PRIVATE $<$<CONFIG:Debug>:-O0>)  # sanitizers: it is compiled sooner
driftless_compile_together(app_driftless)
target_compile_definitions(app_driftless PRIVATE DRIFTLESS_VERSION="${PROJECT_VERSION}")
target_precompile_headers(app_driftless PRIVATE <fmt/format.h> <fmt/ranges.h> <nlohmann/json.hpp>
  <algorithm> <functional> <memory> <string> <vector>)
include(cmake/page.cmake)
driftless_page(app_driftless)
include(cmake/shipped_models.cmake)
driftless_shipped_models(app_driftless)
