// What the program says of itself, and what it says when it is called wrongly.
#include "tests/cli/program.h"

namespace driftless::cli_test::usage_test {
namespace {

TEST(Usage, HelpIsNoErrorAndTeaches) {
  for (const char* call : {"--help", "-h", "help"}) {
    const Outcome outcome = driftless(call);
    EXPECT_EQ(outcome.exit_code, 0) << call;
    EXPECT_EQ(outcome.err, "") << call;
    EXPECT_TRUE(contains(outcome.out, "Usage: driftless SUB-COMMAND [options]")) << call;
    EXPECT_TRUE(contains(outcome.out, "driftless solve swing.mo --output swing.csv")) << call;
  }
}

TEST(Usage, EverySubCommandHasHelpWithExamplesInEightyColumns) {
  for (const std::string name :
       {"solve", "check", "init", "new", "problems", "methods", "explain", "analyse manifold", "analyse attractor",
        "analyse minimise", "analyse stability", "analyse embedding", "analyse errors", "analyse pencil"}) {
    for (const std::string& call : {name + " --help", "help " + name, name + " -h --no-such-option"}) {
      const Outcome outcome = driftless(call);
      EXPECT_EQ(outcome.exit_code, 0) << call;
      EXPECT_TRUE(contains(outcome.out, "Usage: driftless " + name)) << call;
      EXPECT_TRUE(contains(outcome.out, "\nExamples\n  driftless ")) << call;
    }
    bool examples = false;
    for (const std::string& line : lines(driftless(name + " --help").out)) {
      examples = examples || line == "Examples";
      if (!examples) {
        EXPECT_LE(line.size(), 80u) << line;
      }
    }
  }
}

TEST(Usage, PageOfOptionsIsUpToDate) {
  EXPECT_EQ(driftless("help --markdown").out, file_text(DRIFTLESS_SOURCE_DIR "/docs/options.md"))
      << "write it anew: driftless help --markdown > docs/options.md";
}

TEST(Usage, VersionIsThatOfTheProject) { EXPECT_EQ(driftless("--version").out, "driftless 0.1.0\n"); }

TEST(Usage, ColoursOnlyOnATerminalOrIfAskedFor) {
  EXPECT_FALSE(contains(driftless("problems").out, "\033["));
  EXPECT_FALSE(contains(driftless("no-such-command").err, "\033["));
  for (const char* call : {"problems --color=always", "--color always problems", "problems --colo always"})
    EXPECT_TRUE(contains(driftless(call).out, "\033[1mname\033[0m")) << call;
}

struct Mistake {
  const char* call;
  const char* message;
  friend std::ostream& operator<<(std::ostream& out, const Mistake& row) { return out << row.call; }
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreNamedWithExitCodeTwo) {
  const Outcome outcome = driftless(GetParam().call);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "driftless: " + std::string(GetParam().message) + "\n");
}

const Mistake mistakes[] = {
    {"slove x", "there is no sub-command 'slove'; did you mean 'solve'?\n  try:   driftless --help"},
    {"--colour", "there is no option --colour; did you mean '--color'?\n  try:   driftless --help"},
    {"solve", "solve: MODEL is missing\n  try:   driftless solve --help"},
    {"solve problem:car_axis surplus", "solve: cannot make sense of 'surplus'\n  try:   driftless solve --help"},
    {"solve problem:car_axis --gird 5",
     "solve: there is no option --gird; did you mean '--grid'?\n  try:   driftless solve --help"},
    {"solve problem:car_axis --st 5",
     "solve: --st could be --steps or --step-size or --step-limit\n  try:   driftless solve --help"},
    {"solve problem:car_axis --rtol", "solve: --rtol wants a value: TOL\n  try:   driftless solve --help"},
    {"solve problem:car_axis --rtol tight",
     "solve: --rtol wants a number, not 'tight'\n  try:   driftless solve --help"},
    {"solve problem:car_axis --steps 1.5",
     "solve: --steps wants a whole number, not '1.5'\n  try:   driftless solve --help"},
    {"solve problem:car_axis --quiet=yes", "solve: --quiet takes no value\n  try:   driftless solve --help"},
    {"solve problem:car_axis --project hiden",
     "solve: --project is one of on, off, full, hidden, none, not 'hiden'; did you mean 'hidden'?\n"
     "  try:   driftless solve --help"},
    {"solve problem:car_axis -x", "solve: there is no option -x\n  try:   driftless solve --help"},
    {"solve problem:car_axi",
     "there is no reference problem 'car_axi'; did you mean 'car_axis'?\n"
     "  try:   driftless problems"},
    {"solve problem:pendulum",
     "there is no reference problem 'pendulum'; did you mean 'pendulum_schropp'?\n"
     "  try:   driftless problems"},
    {"solve problem:car_axis --set x1=2",
     "--set x1: problem:car_axis has no unknown of this name\n  try:   driftless check problem:car_axis"},
    {"solve problem:car_axis --set xl", "--set wants name=value, not 'xl'"},
    {"solve problem:car_axis --set xl=two", "--set xl=two: 'two' is not a number"},
    {"solve problem:car_axis --method radua",
     "there is no method 'radua'; did you mean 'radau'?\n  try:   driftless methods"},
    {"solve problem:car_axis --method gauss-2",
     "gauss-2 takes fixed steps: add --steps N or --step-size H, or take an adaptive method\n  try:   --method auto"},
    {"solve problem:car_axis --method radau --steps 10",
     "radau chooses its steps itself: leave --steps and --step-size out, or name a tableau\n"
     "  try:   --method radau-iia-3, or another of `driftless methods`"},
    {"solve problem:car_axis --method gauss-2 --steps 10",
     "refused for index 3: Gauss (2 stages): (B2) fails: |R(infinity)| = 1, so an error in the multiplier is never "
     "damped\n  try:   --multiplier hidden, or --despite-conditions to use it anyway"},
    {"solve problem:car_axis --steps 10 --rtol 1e-8", "--rtol has no effect with fixed steps"},
    {"solve problem:car_axis --despite-conditions", "--despite-conditions has no effect with adaptive steps"},
    {"solve problem:car_axis --method dop853 --project off",
     "--project, --level and --multiplier are for Radau; dop853 always projects, and computes multipliers from the "
     "hidden constraint"},
    {"solve problem:car_axis --rtol 0", "tolerances must be positive, but relative = 0 and absolute = 0"},
    {"solve problem:car_axis --grid 5 --every-step", "choose one of --grid, --interval and --every-step"},
    {"solve problem:car_axis --interval -1 -o x.csv", "--interval must be a positive number"},
    {"solve problem:car_axis --output x.txt",
     "--output x.txt: the ending decides what is written; known are .csv, .h5 and .hdf5"},
    {"methods gaus-2", "there is no method 'gaus-2'; did you mean 'gauss-2'?\n  try:   driftless methods"},
    {"problems car", "there is no reference problem 'car'; did you mean 'car_axis'?\n  try:   driftless problems"},
    {"explain nothing", "no failure and no exit code is called 'nothing'\n  try:   driftless explain"},
    {"new 2nd", "'2nd' cannot be the name of a model: letters, digits and underscores, no digit first"},
};

INSTANTIATE_TEST_SUITE_P(Usage, Mistakes, testing::ValuesIn(mistakes));

TEST(Usage, WithoutASubCommandItShowsThem) {
  const Outcome outcome = driftless("");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(outcome.err, "Sub-commands\n  solve ")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "driftless: a sub-command is missing")) << outcome.err;
}

TEST(Usage, MistakesAreAnObjectForPrograms) {
  const Outcome outcome = driftless("solve problem:car_axi --json");
  EXPECT_EQ(outcome.exit_code, 2);
  const Json object = Json::parse(outcome.out);
  EXPECT_EQ(object["status"], "usage");
  EXPECT_TRUE(contains(object["message"], "did you mean 'car_axis'?")) << outcome.out;
}

}  // namespace
}  // namespace driftless::cli_test::usage_test
