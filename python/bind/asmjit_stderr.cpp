// See CMakeLists.txt: where asmjit writes to if it fails.
#include <cstdio>

extern "C" __attribute__((visibility("hidden"))) FILE* driftless_asmjit_stderr;
FILE* driftless_asmjit_stderr = stderr;
