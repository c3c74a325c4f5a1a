#include "apps/driftless/output/json.h"

#include <fmt/format.h>

#include "apps/driftless/output/utf8.h"

namespace driftless::cli {

std::string json_text(const Json& object, int indent) {
  const std::string plain = object.dump(indent, ' ', false, Json::error_handler_t::replace);
  std::string result;
  result.reserve(plain.size());
  for (std::string_view rest = plain; !rest.empty();) {
    const Character c = first_character(rest);
    if (is_control(c.code) && c.code != '\n')  // outside of strings there are no others
      fmt::format_to(std::back_inserter(result), "\\u{:04x}", static_cast<unsigned>(c.code));
    else
      result += rest.substr(0, c.length);
    rest.remove_prefix(c.length);
  }
  return result;
}

}  // namespace driftless::cli
