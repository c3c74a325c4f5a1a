// SHA-256 (FIPS 180-4), so that `sha256sum model.mo` tells which model a file of results is from.
#pragma once

#include <string>
#include <string_view>

namespace driftless::cli {

std::string sha256(std::string_view bytes);  // 64 hexadecimal digits

}  // namespace driftless::cli
