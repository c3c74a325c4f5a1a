// Files of results, by kind; all are written as PendingFile does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/driftless/output/metadata.h"
#include "apps/driftless/output/pending_file.h"
#include "apps/driftless/report/report_run.h"
#include "driftless/simulate/recording.h"

namespace driftless::cli {

// Writes one recording; made before the run, so that what cannot be written is refused first.
class OutputFile {
 public:
  virtual ~OutputFile() = default;
  // `report` may be null; reports themselves want it.
  virtual void write(const Recording& recording, const Metadata& metadata, const ReportRun* report) = 0;
  virtual bool wants_report() const { return false; }
  virtual std::string description() const = 0;  // for people: the names of the files
};

// By the ending of the name: .csv, .h5 or .hdf5; "-" is CSV on standard output. Stop for anything else.
std::unique_ptr<OutputFile> open_output(const std::string& path, bool with_metadata);

std::unique_ptr<OutputFile> open_csv(const std::string& path, bool with_metadata);
std::unique_ptr<OutputFile> csv_to_standard_output();
std::unique_ptr<OutputFile> open_hdf5(const std::string& path);
std::unique_ptr<OutputFile> open_html(const std::string& path);  // a report
std::unique_ptr<OutputFile> open_plot(const std::string& path, const std::string& view);

}  // namespace driftless::cli
