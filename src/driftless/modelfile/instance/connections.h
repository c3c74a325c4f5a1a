// Which connectors are connected, and the equations that follow: what is potential is equal, flows add up to zero
// (Modelica specification, section 9.2).
#pragma once

#include "driftless/modelfile/instance/instance.h"

namespace driftless {

// A connector, or a variable of one.
struct ConnectorEnd {
  const Instance* connector = nullptr;
  const Member* variable = nullptr;  // where a connector is a single variable
  bool inside = true;                // it belongs to a component; else to the model that states the connection
  std::string name;                  // for messages
  bool is_element = false;           // of an array of single variables
};

class Connections {
 public:
  // Returns what does not fit, or nothing.
  std::string add(const ConnectorEnd& a, const ConnectorEnd& b, SourceRange range);
  // Every flow variable of a connector: without a connection it is zero.
  void declare_flow(const Member& variable, SourceRange range) { flows_.push_back({&variable, range}); }

  struct Term {
    const Member* variable;
    bool negative = false;
  };
  struct Equation {
    bool sum = false;  // of all terms is zero; else the two are equal
    std::vector<Term> terms;
    SourceRange range;
  };
  std::vector<Equation> equations();

 private:
  struct Point {
    const Member* variable;
    bool inside;
    SourceRange range;
  };
  std::string add(const Member& a, bool a_inside, const Member& b, bool b_inside, SourceRange range);
  std::size_t point(const Member& variable, bool inside, SourceRange range);
  std::size_t top(std::size_t k);

  std::map<std::pair<const Member*, bool>, std::size_t> numbers_;
  std::vector<Point> points_;
  std::vector<std::size_t> above_;  // union of sets: towards the one that stands for all
  struct Flow {
    const Member* variable;
    SourceRange range;
  };
  std::vector<Flow> flows_;
};

}  // namespace driftless
