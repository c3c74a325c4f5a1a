// What `linearise` found: as text, as JSON, as files and as a page.
#pragma once

#include "apps/driftless/output/pending_file.h"
#include "apps/driftless/report/article.h"
#include "driftless/study/linearise.h"

namespace driftless::cli {

struct LinearFindings {
  std::string model, title;
  LineariseOptions options;
  Linearisation system;
};

std::string linear_text(const LinearFindings& found, const std::vector<std::string>& written);
Json linear_json(const LinearFindings& found);
Article linear_article(const LinearFindings& found);

// NAME.A.csv and its companions, made before the work; none for an empty name.
class MatrixFiles {
 public:
  explicit MatrixFiles(const std::string& name);
  std::vector<std::string> write(const LinearFindings& found);  // what was written, in words

 private:
  std::vector<std::unique_ptr<PendingFile>> files_;  // A, B, C, D
};

}  // namespace driftless::cli
