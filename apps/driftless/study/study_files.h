// The results of a study as files. Rows are in the order of their runs, so that the same study gives the same bytes.
#pragma once

#include <optional>

#include "apps/driftless/output/output_file.h"
#include "apps/driftless/study/study_results.h"

namespace driftless::cli {

class StudyFiles {
 public:
  // FILE.csv (with what it is about beside it, if wanted), FILE.h5, "-" for CSV on standard output. They are made
  // before the work, so that what cannot be written is refused first. Stop for anything else.
  StudyFiles(const std::vector<std::string>& paths, bool metadata);

  bool on_output() const { return on_output_; }
  std::vector<std::string> write(const StudyResults& results);  // what was written, in words

 private:
  struct Csv {
    PendingFile table;
    std::optional<PendingFile> about;
  };
  static void write(const StudyResults& results, Csv& csv);

  std::vector<Csv> tables_;
  std::vector<std::pair<std::string, std::unique_ptr<OutputFile>>> others_;
  bool on_output_ = false;
};

}  // namespace driftless::cli
