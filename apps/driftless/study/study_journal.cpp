#include "apps/driftless/study/study_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "apps/driftless/output/partial_file.h"

namespace driftless::cli {

namespace {

// FNV-1a: a line that was cut off or overwritten by zeros does not have it.
std::uint32_t check_of(std::string_view text) {
  std::uint32_t sum = 2166136261U;
  for (const char letter : text) sum = (sum ^ static_cast<unsigned char>(letter)) * 16777619U;
  return sum;
}

std::string checked(std::string_view line) { return fmt::format("{:08x} {}", check_of(line), line); }

constexpr std::string_view journal_mark = "driftless study journal 1, ";

std::string first_line(const std::string& identity) { return std::string(journal_mark) + identity + '\n'; }

}  // namespace

StudyJournal::StudyJournal(const std::string& results, const std::string& identity, std::size_t numbers)
    : path_(results + ".journal") {
  open();
  const std::size_t good = read(identity, numbers);
  const bool fits = ftruncate(descriptor_, static_cast<off_t>(good)) == 0 && lseek(descriptor_, 0, SEEK_END) >= 0 &&
                    (good > 0 || write_fully(descriptor_, first_line(identity)));
  if (!fits) refuse(std::strerror(errno));
}

StudyJournal::~StudyJournal() {
  if (descriptor_ < 0) return;
  if (rows_.empty()) unlink(path_.c_str());  // nothing would be lost
  close(descriptor_);
}

void StudyJournal::refuse(const std::string& why) const {
  throw Stop(ExitCode::file, fmt::format("cannot keep what the study has finished in {}: {}", path_, why));
}

void StudyJournal::open() {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0666);
  if (descriptor_ < 0) refuse(std::strerror(errno));
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) refuse(std::strerror(errno));
  if (!S_ISREG(status.st_mode)) refuse("it is no plain file");
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    refuse("another process works on this study; wait for it, or write to another file");
}

std::string StudyJournal::content() const {
  std::string text;
  std::vector<char> block(1U << 16);
  while (true) {
    const ssize_t count = pread(descriptor_, block.data(), block.size(), static_cast<off_t>(text.size()));
    if (count == 0) return text;
    if (count < 0 && errno != EINTR) refuse(std::strerror(errno));
    if (count > 0) text.append(block.data(), static_cast<std::size_t>(count));
  }
}

// How many bytes of it are whole lines of this study.
std::size_t StudyJournal::read(const std::string& identity, std::size_t numbers) {
  const std::string text = content();
  if (text.empty()) return 0;
  const std::string_view all(text);
  const std::string first = first_line(identity);
  if (!all.starts_with(first)) {
    const bool no_rows = all.find('\n') >= all.size() - 1;  // killed before anything was finished
    if (no_rows && (first.starts_with(all) || all.starts_with(journal_mark))) return 0;
    throw Stop(ExitCode::file,
               fmt::format("{} is from another study: the model, the values, the options or the version differ\n"
                           "  try:   remove it, or write to another file",
                           path_));
  }
  std::size_t good = first.size();
  while (true) {
    const std::size_t end = all.find('\n', good);
    if (end == std::string_view::npos || end < good + 10) return good;
    const std::string_view line = all.substr(good + 9, end - good - 9);
    if (all.substr(good, end - good) != checked(line)) return good;
    auto row = row_in(line, numbers);
    if (!row) return good;
    const std::size_t run = row->run;
    rows_[run] = *std::move(row);
    good = end + 1;
  }
}

void StudyJournal::add(const TableRow& row) {
  std::string line = text_of(row);
  line.pop_back();
  if (!write_fully(descriptor_, checked(line) + '\n')) refuse(std::strerror(errno));
  rows_[row.run] = row;
}

void StudyJournal::remove() {
  unlink(path_.c_str());
  close(descriptor_);
  descriptor_ = -1;
}

}  // namespace driftless::cli
