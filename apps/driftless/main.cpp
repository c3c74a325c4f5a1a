// driftless: differential-algebraic equations from the command line.
#include "apps/driftless/program.h"

int main(int argc, char** argv) { return driftless::cli::run_program({argv + 1, argv + argc}); }
