// Models with a few slips in them.
#pragma once

#include <random>
#include <string>

// A model of the corpus with words or bytes left out, doubled, exchanged, replaced or taken from another one.
std::string spoilt_model(std::mt19937_64& random);
