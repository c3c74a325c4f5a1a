// What `analyse embedding` found, and its page.
#pragma once

#include "apps/driftless/commands/analysis_request.h"
#include "apps/driftless/report/article.h"
#include "driftless/analysis/geometric/embedded_run.h"

namespace driftless::cli {

struct MeasuredEmbedding {
  std::string method;
  EmbeddedRun run;
  Vector predicted = {};        // |R(-h B)^n g(u_0)|
  double predicted_rate = 0.0;  // of them, as the measured one
};

struct EmbeddingFindings {
  std::string model, title, source;
  Names unknowns = {}, constraints = {};
  Vector start = {};       // u, off the constraint
  std::string decay = {};  // B in words
  double eta = 0.0;        // -mu_2(-B): |g| falls at least like exp(-eta t)
  double begin = 0.0, step = 0.0;
  std::vector<MeasuredEmbedding> methods = {};

  // Residuals that the theory of the method predicts are met to this, relative to the one at the start.
  static double deviation(const MeasuredEmbedding& one);
};

Article embedding_article(const EmbeddingFindings& findings);

}  // namespace driftless::cli
