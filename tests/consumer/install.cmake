# Into an empty folder, so that a header which is no longer installed is missed; time stamps are kept, so that nothing is rebuilt.
file(REMOVE_RECURSE "${PREFIX}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}" COMMAND_ERROR_IS_FATAL ANY)
