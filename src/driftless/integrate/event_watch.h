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

  // States that may be a little off and cost less. Where multipliers are but a rough guess, functions that read them
  // have no use for it.
  struct Nearby {
    Interpolant at;
    bool rough_multipliers;
  };

  // The roots in (begin, end], in the order of time, up to the first that ends the run or makes it jump. Sign changes
  // between samples, and touching without a sign change. Of many functions those that stay far from zero nearby are not
  // looked at more closely, and `at` is asked only where one of the others is not.
  std::vector<EventRecord> find(double begin, double end, const Interpolant& at, const Nearby& nearby = {{}, false});

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
  // One that is looked at closely.
  struct Watched {
    std::size_t event;
    Track track;
    bool number;  // at the last sample
  };
  // A step that is searched.
  struct Search {
    double begin, end;
    const Interpolant& at;
    const Nearby& nearby;
    std::vector<EventRecord> found = {};
    std::optional<double> stop = {};  // nothing behind it will be asked for
    double time(std::size_t sample) const;
    double direction() const { return end >= begin ? 1.0 : -1.0; }
    bool is_over(double t) const { return stop && direction() * (t - *stop) >= 0.0; }
  };
  void sample(std::size_t i, double t, const Interpolant& at);
  std::vector<Watched> choose(const Search& search, std::vector<char>& closely);
  bool keeps_quiet(std::size_t event, bool known, std::vector<char>& closely) const;
  void values_at(double t, ConstSpan state, Span values);
  void see(std::size_t event, double x);
  double root_value(std::size_t event, double t, const Interpolant& at);
  double raw_value(std::size_t event, double t, const Interpolant& at);
  double value(std::size_t event, double t, const Interpolant& at);
  Sample bottom_of_dip(std::size_t event, const Sample& left, const Sample& middle, const Sample& right,
                       const Interpolant& at);
  void advance(Watched& one, double from, double t, double x, Search& search);
  void follow(std::size_t event, Track& track, const Sample& now, Search& search);
  void cross(std::size_t event, const Sample& from, const Sample& to, Search& search);
  void add(std::size_t event, double t, Search& search) const;
  void see_excursion(std::size_t event, double from, double to, const Interpolant& at);
  double edge_of_numbers(std::size_t event, double number, double none, const Interpolant& at);
  double known_sign(std::size_t event, double t, double x);
  bool can_be_nearby(std::size_t event, const Nearby& nearby) const;
  void narrow(std::size_t event, Sample& low, Sample& high, const Search& search);
  bool accepts(std::size_t event, bool rising) const;

  const std::vector<Event>& events_;
  std::vector<std::size_t> alone_;  // events without a group
  struct Group {
    const RootGroup* roots;
    std::vector<std::size_t> events;
    Vector values;
  };
  std::vector<Group> groups_;
  std::vector<Vector> samples_;  // of all functions, one row for each sample of a step
  const Names& names_;
  Vector state_;
  Vector scale_;  // largest |value| seen: what is zero is judged against it
  std::optional<std::size_t> jumped_;
  Vector last_;      // value at the end of the last step; 0 = not armed
  Vector farthest_;  // largest |value| since the restart, at samples before the present one
  std::optional<Undefined> undefined_;
  double direction_ = 1.0;  // of time
};

}  // namespace driftless
