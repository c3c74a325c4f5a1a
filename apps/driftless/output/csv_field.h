// One field of CSV, as every reader takes it.
#pragma once

#include <string>

namespace driftless::cli {

// Spreadsheets compute what begins with one of =+-@. Such a name has quotes in its model, and gets them back.
std::string in_model_quotes(const std::string& name);

// In quotes where something in it would end the field.
std::string csv_field(const std::string& text);

}  // namespace driftless::cli
