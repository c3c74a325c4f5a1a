// Roots of functions of the solution, found on the dense output of a step.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driftless/core/matrix.h"
#include "driftless/integrate/state_move.h"

namespace driftless {

enum class Direction { any, rising, falling };

struct Event {
  std::string name;
  // The state has the layout of the equations and lies on the manifold, multipliers included.
  std::function<double(double t, ConstSpan state)> root;
  Direction direction = Direction::any;
  bool terminal = false;  // ends the run at the root
  // Changes the state at the root; the run restarts from it. With index 1 the differential part P x stays what the jump
  // made it and the algebraic part follows. Constraints of a higher index that do not hold after the jump are met by
  // the impulse of their multipliers, which the record of the event reports; multipliers are computed.
  std::function<void(double t, Span state)> jump = {};
  // What `root` counts as where it is NaN: its sign, 1 or -1. Not given: the run ends there with a failure.
  std::optional<double> where_undefined = {};
};

struct EventRecord {
  std::size_t event = 0;  // index in the list given
  double time = 0.0;
  Vector state;                       // before the jump
  std::vector<StateMove> moves = {};  // of states, after the jump, so that the constraints hold
};

// Watches the signs of event functions from step to step.
class EventWatch {
 public:
  using Interpolant = std::function<void(double t, Span state)>;

  EventWatch(const std::vector<Event>& events, std::size_t state_size);

  // Where the run (re)starts: a function that is zero here has to leave zero before it can fire. The one whose jump the
  // run restarts from fires at once if it goes on in its direction: bounces that accumulate must not be overlooked.
  void restart(double t, ConstSpan state, std::optional<std::size_t> jumped = {});

  // The roots in (begin, end], in the order of time. Sign changes between samples, and touching without a sign change.
  std::vector<EventRecord> find(double begin, double end, const Interpolant& at);

  // The first event, in time, whose function was not a number since the restart, though it must be one.
  struct Undefined {
    std::size_t event;
    double time;
  };
  const std::optional<Undefined>& undefined() const { return undefined_; }

 private:
  struct Sample {
    double t, x;
  };
  // The last two samples of the present sign; x = 0 means none yet.
  struct Track {
    Sample before, last;
  };
  double raw_value(std::size_t event, double t, const Interpolant& at);
  double value(std::size_t event, double t, const Interpolant& at);
  Sample bottom_of_dip(std::size_t event, const Sample& left, const Sample& middle, const Sample& right,
                       const Interpolant& at);
  void find_roots(std::size_t event, double begin, double end, const Interpolant& at, std::vector<EventRecord>& found);
  void follow(std::size_t event, Track& track, const Sample& now, double begin, const Interpolant& at,
              std::vector<EventRecord>& found);
  void cross(std::size_t event, const Sample& from, double to, const Interpolant& at, std::vector<EventRecord>& found);
  double edge_of_numbers(std::size_t event, double number, double none, const Interpolant& at);
  double known_sign(std::size_t event, double t, double x);
  double bisect(std::size_t event, double low, double value_low, double high, const Interpolant& at);
  bool accepts(std::size_t event, bool rising) const;

  const std::vector<Event>& events_;
  Vector state_;
  Vector scale_;  // largest |value| seen: what is zero is judged against it
  std::optional<std::size_t> jumped_;
  Vector last_;  // value at the end of the last step; 0 = not armed
  std::optional<Undefined> undefined_;
  double direction_ = 1.0;  // of time
};

}  // namespace driftless
