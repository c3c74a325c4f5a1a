// Relations that change again and again though their roots hardly leave zero in between: the solution stays at a
// switching condition, and only events take it along. How fast they come says nothing about that, because it depends on
// how fast the root moves.
#pragma once

#include <map>
#include <string>

#include "driftless/core/failure.h"
#include "driftless/simulate/stretch.h"

namespace driftless {

class ChatterWatch {
 public:
  // `limit` changes of a relation in a row without an excursion of its root are chatter, unless a run of this length
  // would have a hundred times as many of them at most: so many are done.
  ChatterWatch(std::size_t limit, double length) : limit_(limit), length_(length) {}

  // A relation changes at t, and so far was its root from zero since the last event.
  void changes(const std::string& relation, double t, double farthest, double rounding);
  // How far the root of a relation is from zero at an event of others.
  void is_away(const std::string& relation, double distance, double rounding);
  // The events that end a stretch, none if it ends at a known time.
  void see(const Stretch& stretch, const std::vector<EventRecord>& events, double t, ConstSpan state);

  // The first one, if any.
  const std::string* chattering() const { return chattering_; }
  Failure failure(double t) const;

 private:
  static constexpr double nearby = 10.0;  // times its rounding: there a root has not left zero
  static constexpr double many = 100.0;   // times the limit
  struct Trail {
    double begin = 0.0;
    std::size_t changes = 0;  // since then, without an excursion
    std::size_t event = 0;    // its number when it was last looked at
  };
  std::size_t limit_;
  double length_;
  std::map<std::string, Trail> trails_;
  const std::string* chattering_ = nullptr;
};

}  // namespace driftless
