// Functions of the user: their algorithm is run for every call, so that nothing of it is left in the equations.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/modelfile/flatten/algorithm.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

const Evaluator::FunctionInfo& Evaluator::function_info(const ClassDefinition& definition) {
  const auto known = functions_.find(&definition);
  if (known != functions_.end()) return known->second;
  FunctionInfo info;
  for (const Declaration& declaration : definition.declarations) {
    if (declaration.causality == Causality::input) {
      ResolvedType type = input_type(declaration);
      const std::size_t rank = declaration.sizes.size() + declaration.type_sizes.size() + type.dims.size();
      info.inputs.push_back({&declaration, std::move(type), rank});
      info.input_names.push_back(tree_.names.text(declaration.name));
    } else {
      if (declaration.causality == Causality::output) info.outputs.push_back(declaration.name);
      info.others.push_back(&declaration);
    }
  }
  return functions_.emplace(&definition, std::move(info)).first->second;
}

std::vector<Value> Evaluator::call_function(const ClassDefinition& definition, NodeId call, const Inputs& bound) {
  const FunctionInfo& info = function_info(definition);
  const std::string& name = tree_.names.text(definition.name);
  Inputs inputs = bound;
  inputs.resize(info.inputs.size());
  std::vector<std::string_view> open;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (!inputs[k]) open.push_back(info.input_names[k]);
  const Arguments arguments = bind_arguments(call, name, open, 0);
  bool vectorised = false;
  for (std::size_t k = 0, next = 0; k < inputs.size(); ++k) {
    if (inputs[k]) continue;
    const FunctionInput& input = info.inputs[k];
    const NodeId argument = arguments[next++];
    if (argument == no_node) {
      if (input.declaration->value != no_node) continue;
      fail(call, fmt::format("the argument {} of {} is missing", quoted(info.input_names[k]), quoted(name)));
    }
    inputs[k] = evaluate_input(argument, input, fmt::format("the argument {}", quoted(info.input_names[k])));
    vectorised = vectorised || inputs[k]->rank() > input.rank;
  }
  return vectorised ? call_vectorised(definition, info, inputs, call)
                    : run_function(definition, info, std::move(inputs), call);
}

// f of an array where a number is expected: f of each element.
std::vector<Value> Evaluator::call_vectorised(const ClassDefinition& definition, const FunctionInfo& info,
                                              const Inputs& inputs, NodeId call) {
  Dims outer;
  const auto is_outer = [&](std::size_t k) { return inputs[k] && inputs[k]->rank() > info.inputs[k].rank; };
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (!is_outer(k)) continue;
    const Dims& dims = inputs[k]->dims();
    Dims extra(dims.begin(), dims.end() - static_cast<std::ptrdiff_t>(info.inputs[k].rank));
    if (!outer.empty() && extra != outer) {
      fail(call,
           fmt::format("the arguments have different numbers of elements: {} and {}", to_text(outer), to_text(extra)));
    }
    outer = std::move(extra);
  }
  std::vector<std::vector<Scalar>> elements;
  std::vector<Value> sample;
  const std::size_t count = context_.checked_count(outer, tree_.range(call));
  for (std::size_t i = 0; i < count; ++i) {
    Inputs each(inputs);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      if (!is_outer(k)) continue;
      const Value& whole = *inputs[k];
      const std::size_t block = whole.size() / count;
      const auto part = whole.elements().subspan(i * block, block);
      each[k] =
          Value(whole.type(), {whole.dims().begin() + static_cast<std::ptrdiff_t>(outer.size()), whole.dims().end()},
                {part.begin(), part.end()}, whole.width());
    }
    sample = run_function(definition, info, std::move(each), call);
    elements.resize(sample.size());
    for (std::size_t k = 0; k < sample.size(); ++k) {
      elements[k].insert(elements[k].end(), sample[k].elements().begin(), sample[k].elements().end());
    }
  }
  if (count == 0) fail(call, "a function of no elements has no value");
  std::vector<Value> results;
  for (std::size_t k = 0; k < sample.size(); ++k) {
    Dims dims = outer;
    dims.insert(dims.end(), sample[k].dims().begin(), sample[k].dims().end());
    results.emplace_back(sample[k].type(), std::move(dims), std::move(elements[k]), sample[k].width());
  }
  return results;
}

class Evaluator::Called {
 public:
  Called(Evaluator& evaluator, const ClassDefinition& definition)
      : evaluator_(evaluator), ends_(std::exchange(evaluator.ends_, {})), behind_frame_(evaluator.behind_frame_) {
    evaluator.called_.push_back(&definition);
    evaluator.behind_frame_ = false;
  }
  ~Called() {
    evaluator_.called_.pop_back();
    evaluator_.ends_ = std::move(ends_);
    evaluator_.behind_frame_ = behind_frame_;
  }
  Called(const Called&) = delete;
  Called& operator=(const Called&) = delete;

 private:
  Evaluator& evaluator_;
  std::vector<std::int64_t> ends_;
  bool behind_frame_;
};

std::vector<Value> Evaluator::run_function(const ClassDefinition& definition, const FunctionInfo& info, Inputs inputs,
                                           NodeId call) {
  const std::string& name = tree_.names.text(definition.name);
  if (definition.is_external) {
    fail(call, fmt::format("the function {} is external: its body is not in the model", quoted(name)),
         "write its algorithm in Modelica");
  }
  if (std::find(called_.begin(), called_.end(), &definition) != called_.end() && !in_recursion_)
    return run_recursive(definition, info, std::move(inputs), call);
  in_recursion_ = false;
  constexpr std::size_t cost = 20;  // of a call, in evaluations
  context_.charge(cost, tree_.range(call));
  const Called called(*this, definition);
  const Scope scope(*this);
  Frame frame;
  mode_ = Mode{.events = false, .guarded = mode_.guarded, .in_function = true, .in_initial = mode_.in_initial};
  hide_iterators();
  frame_ = &frame;
  fill_frame(frame, info, std::move(inputs), call);
  AlgorithmRun run(context_, *this, frame, nullptr);
  for (const std::vector<Statement>& section : definition.algorithms) run.run(section);
  const Scalar nothing;
  std::vector<Value> results;
  for (const std::uint32_t output : info.outputs) {
    Local& local = *frame.find(output);
    local_storage(local, call);
    const bool open = context_.is_open(local.value.type());
    for (const Scalar& scalar : open ? std::span<const Scalar>(&nothing, 1) : local.value.elements()) {
      if (!scalar.is_undefined()) continue;
      Context::fail(local.declaration->name_range, fmt::format("the function {} does not always assign its output {}",
                                                               quoted(name), quoted(tree_.names.text(output))));
    }
    results.push_back(std::move(local.value));
  }
  return results;
}

void Evaluator::fill_frame(Frame& frame, const FunctionInfo& info, Inputs inputs, NodeId call) {
  frame.locals.reserve(info.inputs.size() + info.others.size());
  for (std::size_t k = 0; k < info.inputs.size(); ++k) {
    const FunctionInput& input = info.inputs[k];
    if (!inputs[k]) inputs[k] = evaluate_input(input.declaration->value, input, quoted(info.input_names[k]));
    add_input(frame, input, *std::move(inputs[k]), call);
  }
  for (const Declaration* other : info.others) add_local(frame, *other);
}

namespace {

// Sizes of the declaration come first, then those of Real[...], then those of the type itself.
std::vector<NodeId> declared_sizes(const Declaration& declaration) {
  std::vector<NodeId> sizes = declaration.sizes;
  sizes.insert(sizes.end(), declaration.type_sizes.begin(), declaration.type_sizes.end());
  return sizes;
}

}  // namespace

void Evaluator::add_input(Frame& frame, const FunctionInput& input, Value value, NodeId call) {
  Dims dims = symbols_->evaluate_sizes(declared_sizes(*input.declaration));
  dims.insert(dims.end(), input.type.dims.begin(), input.type.dims.end());
  bool fits = dims.size() == value.rank();
  for (std::size_t k = 0; fits && k < dims.size(); ++k) fits = dims[k] < 0 || dims[k] == value.dims()[k];
  if (!fits) {
    fail(call, fmt::format("the argument {} must have size {}, but this has size {}",
                           quoted(tree_.names.text(input.declaration->name)), to_text(dims), to_text(value.dims())));
  }
  Local& local = frame.add(input.declaration->name);
  local.declaration = input.declaration;
  local.is_input = true;
  local.value = std::move(value);
}

// Fields that have values of their own in the definition of their record.
void Evaluator::fill_defaults(Value& records) {
  const std::vector<RecordField> fields = context_.records[records.type().definition].fields;
  for (const RecordField& field : fields) {
    if (field.declaration->value == no_node) continue;
    const Isolation isolation(*this, Mode{.events = false, .constant_only = true, .purpose = "the value of a field"});
    const Value value = evaluate_as(field.declaration->value, field.type, quoted(tree_.names.text(field.name)));
    if (value.dims() != field.dims) continue;  // refused where a variable of this record is declared
    const auto numbers = value.elements();
    for (std::size_t first = field.offset; first < records.size(); first += records.width())
      std::copy(numbers.begin(), numbers.end(), records.elements().begin() + static_cast<std::ptrdiff_t>(first));
  }
}

void Evaluator::add_local(Frame& frame, const Declaration& declaration) {
  const ResolvedType type = symbols_->resolve(declaration.type);
  Dims dims = symbols_->evaluate_sizes(declared_sizes(declaration));
  dims.insert(dims.end(), type.dims.begin(), type.dims.end());
  Local& local = frame.add(declaration.name);
  local.declaration = &declaration;
  for (std::int64_t& size : dims) {
    if (size < 0) local.is_flexible = true;
    size = std::max<std::int64_t>(size, 0);
  }
  if (context_.is_open(type.type)) local.is_flexible = true;
  const std::size_t count = context_.checked_count(dims, declaration.range);
  local.value = Value(type.type, std::move(dims), std::vector<Scalar>(count * type.width), type.width);
  if (declaration.value == no_node) {
    if (type.type.base == BaseType::record && !context_.is_open(type.type)) fill_defaults(local.value);
    return;
  }
  if (local.is_flexible) {
    local.value = evaluate_as(declaration.value, type.type, quoted(tree_.names.text(declaration.name)));
  } else {
    local.pending = true;
  }
}

}  // namespace driftless
