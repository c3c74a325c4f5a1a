// What a study has finished so far, FILE.journal beside its results: a study that was killed at any moment goes on with
// the runs that are missing. The file is locked while somebody works on it, and removed when the results are written,
// or if there is nothing in it.
#pragma once

#include <map>
#include <string>

#include "apps/driftless/study/study_row.h"

namespace driftless::cli {

class StudyJournal {
 public:
  // `identity` is that of the study, with all that its rows depend on. Stop if the file is that of another study, if
  // somebody works on it, or if it cannot be written.
  StudyJournal(const std::string& results, const std::string& identity, std::size_t numbers);
  ~StudyJournal();
  StudyJournal(const StudyJournal&) = delete;
  StudyJournal& operator=(const StudyJournal&) = delete;

  const std::string& path() const { return path_; }
  const std::map<std::size_t, TableRow>& rows() const { return rows_; }
  std::map<std::size_t, TableRow> take_rows() { return std::move(rows_); }
  void add(const TableRow& row);
  void remove();

 private:
  void open();
  std::string content() const;
  std::size_t read(const std::string& identity, std::size_t numbers);
  [[noreturn]] void refuse(const std::string& why) const;

  std::string path_;
  int descriptor_ = -1;
  std::map<std::size_t, TableRow> rows_;
};

}  // namespace driftless::cli
