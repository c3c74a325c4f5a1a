#include <fmt/format.h>

#include "apps/driftless/output/output_file.h"
#include "apps/driftless/plot/gnuplot.h"
#include "apps/driftless/plot/plot.h"

namespace driftless::cli {

namespace {

class PlotFile final : public OutputFile {
 public:
  PlotFile(const std::string& path, const std::string& view) : file_(path), view_(view) {}
  void write(const Recording&, const Metadata&, const ReportRun* report) override {
    file_.write(plot_picture(file_.path(), view_, {*report}));
    file_.commit();
  }
  std::string description() const override { return file_.path(); }
  bool wants_report() const override { return true; }

 private:
  PendingFile file_;
  std::string view_;
};

}  // namespace

std::unique_ptr<OutputFile> open_plot(const std::string& path, const std::string& view) {
  require_gnuplot(path);
  return std::make_unique<PlotFile>(path, view);
}

}  // namespace driftless::cli
