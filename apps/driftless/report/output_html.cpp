#include "apps/driftless/output/output_file.h"
#include "apps/driftless/report/page.h"

namespace driftless::cli {

namespace {

class HtmlFile final : public OutputFile {
 public:
  explicit HtmlFile(const std::string& path) : file_(path) {}
  void write(const Recording&, const Metadata&, const ReportRun* report) override {
    file_.write(report_page({*report}));
    file_.commit();
  }
  std::string description() const override { return file_.path(); }
  bool wants_report() const override { return true; }

 private:
  PendingFile file_;
};

}  // namespace

std::unique_ptr<OutputFile> open_html(const std::string& path) { return std::make_unique<HtmlFile>(path); }

}  // namespace driftless::cli
