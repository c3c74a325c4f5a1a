#include "corpus.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "checkpoints.h"

namespace driftless::fuzz_results {

std::string read_bytes(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

namespace {

// With and without a drawing, events, a long table that is compressed, and fixed steps.
void add_results(const std::string& models, const std::string& program, std::vector<Sample>& corpus) {
  for (const char* run :
       {"pendulum_schropp.mo", "pendulum_wall.mo --grid 2000", "fekete20.mo --t-end 0.1",
        "slider_crank_flexible.mo --grid 20 --t-end 0.01", "pendulum_schropp.mo --steps 50 --method radau-iia-2",
        "transistor_amplifier.mo --t-end 0.01"}) {
    const std::string command = fmt::format("'{}' solve {}{} -q -o good.h5 >/dev/null 2>&1", program, models, run);
    if (std::system(command.c_str()) != 0) continue;
    corpus.push_back({"hdf5", ".h5", read_bytes("good.h5")});
    std::filesystem::remove("good.h5");
  }
}

}  // namespace

std::vector<Sample> make_corpus(const std::string& source_folder, const std::string& program) {
  std::vector<Sample> corpus;
  add_results(source_folder + "/examples/models/", program, corpus);
  for (const char* name : {"bench_andrews.json", "bench_pendulum.json"})
    corpus.push_back({"bench", ".json", read_bytes(source_folder + "/tests/browser/data/" + name)});
  for (const char* text :
       {R"({"A": [["5/12", "-1/12"], ["3/4", "1/4"]], "b": ["3/4", "1/4"], "c": ["1/3", 1], "title": "Radau IIA"})",
        R"({"A": [[0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1, 0]], "b": ["1/6", "1/3", "1/3", "1/6"]})",
        R"({"A": [[0.5]], "b": [1], "source": "implicit midpoint"})"})
    corpus.push_back({"method", ".json", text});
  for (const char* text :
       {"1, 0, 0\n0, 2, 0\n0, 0, 3\n", "x,y\n1,2\n-3.5e2,4\n", "# a comment\n1;2\n3;4\n", "2 1\n1 2\n"})
    corpus.push_back({"matrix", ".csv", text});
  for (std::string& text : checkpoints()) corpus.push_back({"checkpoint", ".txt", std::move(text)});
  return corpus;
}

}  // namespace driftless::fuzz_results
