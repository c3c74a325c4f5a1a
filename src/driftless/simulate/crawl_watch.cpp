#include "driftless/simulate/crawl_watch.h"

#include <cmath>

namespace driftless {

void CrawlWatch::begin_stretch() {
  crossings_.clear();
  last_.clear();
  crawls_ = false;
}

Failure CrawlWatch::failure(double t) {
  return {.kind = FailureKind::too_many_steps,
          .time = t,
          .what_happened = "the solution crosses a relation inside noEvent in every other step",
          .what_to_try = "leave noEvent out, or give the relation a hysteresis",
          .where = ""};
}

void CrawlWatch::see(const Stretch& stretch, double t, ConstSpan state) {
  if (stretch.hidden == 0 || crawls_) return;
  now_.resize(stretch.hidden);
  stretch.hidden_roots(t, state, now_);
  bool crossed = false;
  for (std::size_t k = 0; k < last_.size(); ++k) crossed |= (now_[k] > 0.0) != (last_[k] > 0.0);
  last_ = now_;
  if (!crossed) return;
  crossings_.push_back(t);
  if (crossings_.size() > limit) crossings_.pop_front();
  crawls_ = crossings_.size() == limit && std::abs(t - crossings_.front()) <= window_;
}

}  // namespace driftless
