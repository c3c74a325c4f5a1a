// Models that use the language widely, to be spoilt.
#pragma once

#include <span>
#include <string_view>

std::span<const std::string_view> corpus();
