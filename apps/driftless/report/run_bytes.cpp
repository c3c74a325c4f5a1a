#include "apps/driftless/report/run_bytes.h"

#include <cstdint>
#include <cstring>

namespace driftless::cli {

namespace {

void put(std::string& bytes, std::uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put(std::string& bytes, const std::string& text) {
  put(bytes, text.size());
  bytes += text;
}

void put(std::string& bytes, const Table& table) {
  put(bytes, table.columns.size());
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    put(bytes, table.names[k]);
    put(bytes, table.columns[k].size());
    bytes.append(reinterpret_cast<const char*>(table.columns[k].data()), table.columns[k].size() * sizeof(double));
  }
}

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  std::string text() {
    const std::uint64_t size = number();
    return std::string(take(size), size);
  }
  Table table() {
    Table result;
    for (std::uint64_t left = number(); left > 0; --left) {
      std::string name = text();
      const std::uint64_t rows = number();
      if (rows > bytes_.size() / sizeof(double)) throw std::out_of_range("run_from_bytes");
      Vector values(rows);
      const char* from = take(rows * sizeof(double));
      if (rows > 0) std::memcpy(values.data(), from, rows * sizeof(double));
      result.add(std::move(name), std::move(values));
    }
    return result;
  }

 private:
  const char* take(std::uint64_t size) {
    if (size > bytes_.size() - next_) throw std::out_of_range("run_from_bytes");
    const char* from = bytes_.data() + next_;
    next_ += size;
    return from;
  }
  const std::string& bytes_;
  std::size_t next_ = 0;
};

}  // namespace

std::string to_bytes(const StoredRun& run) {
  std::string bytes;
  put(bytes, run.about);
  for (const Table* table : {&run.series, &run.steps, &run.rejections}) put(bytes, *table);
  put(bytes, std::uint64_t{run.frames.has_value()});
  if (run.frames) put(bytes, *run.frames);
  return bytes;
}

StoredRun run_from_bytes(const std::string& bytes) {
  Reader reader(bytes);
  StoredRun run;
  run.about = reader.text();
  for (Table* table : {&run.series, &run.steps, &run.rejections}) *table = reader.table();
  if (reader.number() != 0) run.frames = reader.table();
  return run;
}

}  // namespace driftless::cli
