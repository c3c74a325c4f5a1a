// The items, one function for each way to write them.
#pragma once

#include <string>

namespace reproduce {

std::string constants_text();
std::string constants_csv();
std::string deviations_text();
std::string deviations_csv();
std::string errors_text();
std::string errors_csv();
std::string runs_text();
std::string runs_csv();
std::string index_loss_text();
std::string index_loss_csv();
std::string contraction_text();
std::string contraction_csv();

}  // namespace reproduce
