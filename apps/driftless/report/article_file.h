// The file of --report: made before the work, so that a wrong folder is found first.
#pragma once

#include <fmt/format.h>

#include <memory>

#include "apps/driftless/output/pending_file.h"
#include "apps/driftless/output/terminal.h"
#include "apps/driftless/program/interrupt.h"
#include "apps/driftless/report/article.h"

namespace driftless::cli {

class ArticleFile {
 public:
  explicit ArticleFile(const std::string& path) {
    if (!path.empty()) file_ = std::make_unique<PendingFile>(path);
  }
  explicit operator bool() const { return file_ != nullptr; }
  // Tells the name on standard output, unless JSON stands there.
  void write(const Article& article, bool json) {
    const Interrupt interrupt;  // it is all there now
    file_->write(article_page(article));
    file_->commit();
    if (!json) say("\nwritten: {}\n", file_->path());
  }

 private:
  std::unique_ptr<PendingFile> file_;
};

}  // namespace driftless::cli
