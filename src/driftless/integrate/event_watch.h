// Roots of event functions, found on the dense output of a step.
#pragma once

#include "driftless/integrate/events.h"

namespace driftless {

// Watches the signs of event functions from step to step.
class EventWatch {
 public:
  using Interpolant = std::function<void(double t, Span state)>;

  EventWatch(const std::vector<Event>& events, const Names& components);

  // Where the run (re)starts: a function that is zero here has to leave zero before it can fire. The one whose jump the
  // run restarts from fires at once if it goes on in its direction: bounces that accumulate must not be overlooked.
  void restart(double t, ConstSpan state, std::optional<std::size_t> jumped = {});

  // The roots in (begin, end], in the order of time. Sign changes between samples, and touching without a sign change.
  // Of many functions those that stay far from zero at `nearby` (states that may be a little off) are not looked at
  // more closely; it costs less than `at`.
  std::vector<EventRecord> find(double begin, double end, const Interpolant& at, const Interpolant& nearby = {});

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
  // Of all functions at the samples of a step, one row for each sample.
  using Samples = std::vector<Vector>;
  void take_samples(double begin, double end, const Interpolant& at, Samples& values);
  std::vector<char> quiet_events(double begin, double end, const Interpolant& nearby);
  void values_at(double t, ConstSpan state, Span values);
  void see(std::size_t event, double x);
  double raw_value(std::size_t event, double t, const Interpolant& at);
  double value(std::size_t event, double t, const Interpolant& at);
  Sample bottom_of_dip(std::size_t event, const Sample& left, const Sample& middle, const Sample& right,
                       const Interpolant& at);
  void find_roots(std::size_t event, double begin, double end, const Interpolant& at, std::vector<EventRecord>& found);
  void follow(std::size_t event, Track& track, const Sample& now, double begin, const Interpolant& at,
              std::vector<EventRecord>& found);
  void cross(std::size_t event, const Sample& from, const Sample& to, const Interpolant& at,
             std::vector<EventRecord>& found);
  double edge_of_numbers(std::size_t event, double number, double none, const Interpolant& at);
  double known_sign(std::size_t event, double t, double x);
  double root_between(std::size_t event, Sample low, Sample high, const Interpolant& at);
  bool accepts(std::size_t event, bool rising) const;

  const std::vector<Event>& events_;
  std::vector<std::size_t> alone_;  // events without a group
  struct Group {
    const RootGroup* roots;
    std::vector<std::size_t> events;
    Vector values;
  };
  std::vector<Group> groups_;
  Samples samples_;
  const Names& names_;
  Vector state_;
  Vector scale_;  // largest |value| seen: what is zero is judged against it
  std::optional<std::size_t> jumped_;
  Vector last_;  // value at the end of the last step; 0 = not armed
  std::optional<Undefined> undefined_;
  double direction_ = 1.0;  // of time
};

}  // namespace driftless
