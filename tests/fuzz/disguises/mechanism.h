// Plane mechanisms as text, each in as many disguises as one likes: the same motion, written in other words.
#pragma once

#include <string>
#include <vector>

#include "../answers/random.h"

namespace driftless::fuzz {

struct MechanismText {
  std::string text;
  std::vector<std::string> compared;  // results that are the same in all disguises
  std::vector<std::string> tricks;    // what was done
};

const std::vector<std::string>& mechanism_names();
MechanismText plain(const std::string& mechanism);
MechanismText disguised(const std::string& mechanism, Random& random);

}  // namespace driftless::fuzz
