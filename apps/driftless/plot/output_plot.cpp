#include <fmt/format.h>

#include "apps/driftless/output_file.h"
#include "apps/driftless/plot/gnuplot.h"
#include "apps/driftless/plot/plot.h"

namespace driftless::cli {

namespace {

class PlotFile final : public OutputFile {
 public:
  PlotFile(const std::string& path, const std::string& view) : path_(path), view_(view) {
    require_gnuplot(path);
    PendingFile(path).write("");  // a wrong folder is found before a long run
  }
  void write(const Recording&, const Metadata&, const ReportRun* report) override {
    draw_plot(path_, view_, {*report});
  }
  std::string description() const override { return path_; }
  bool wants_report() const override { return true; }

 private:
  std::string path_, view_;
};

}  // namespace

std::unique_ptr<OutputFile> open_plot(const std::string& path, const std::string& view) {
  return std::make_unique<PlotFile>(path, view);
}

}  // namespace driftless::cli
