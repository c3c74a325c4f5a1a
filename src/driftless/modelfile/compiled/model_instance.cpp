// A compiled model with one choice of its parameters.
#include "driftless/modelfile/compiled/model_content.h"

namespace driftless {

OwnNumbers::OwnNumbers(Reduction& reduction, const ParameterValues& parameters)
    : reduction_(reduction), size_(reduction.model.graph.size()), slots_(reduction.model.slots) {
  if (!reduction.model.graph.trace()) return;
  shared_ = reduction.model.graph.with_values(parameters.all());
  std::swap(*shared_, reduction_.model.graph);
}

OwnNumbers::~OwnNumbers() {
  if (shared_) std::swap(*shared_, reduction_.model.graph);
  reduction_.model.graph.truncate(size_);
  reduction_.model.slots = slots_;
}

CompiledModel::Instance::Instance(const Content& content, std::shared_ptr<const ParameterValues> values)
    : parameters(std::move(values)), nominals(content.nominals(*parameters)), written(content.written(parameters)) {}

CompiledModel::CompiledModel(std::shared_ptr<const Content> content)
    : content_(std::move(content)),
      instance_(
          std::make_shared<const Instance>(*content_, std::make_shared<const ParameterValues>(content_->trace()))) {}

std::optional<CompiledModel> CompiledModel::with(std::vector<std::optional<double>> settings) const {
  const auto& trace = content_->trace();
  if (!trace) return std::nullopt;
  auto values = std::make_shared<const ParameterValues>(trace, std::move(settings));
  if (!values->fit()) return std::nullopt;
  CompiledModel other = *this;
  other.instance_ = std::make_shared<const Instance>(*content_, std::move(values));
  return other;
}

HeldValues CompiledModel::held(ConstSpan values) const {
  return {Vector(values.begin(), values.end()), instance_->parameters};
}

double CompiledModel::value(Number number) const { return instance_->parameters->of(number); }
Graph CompiledModel::graph() const { return content_->graph(*instance_->parameters); }

const CompiledModel::Instance& CompiledModel::described() const {
  std::call_once(instance_->once, [this] {
    instance_->variables = content_->variables(*instance_->parameters);
    instance_->constraints = content_->constraints(*instance_->parameters);
  });
  return *instance_;
}

}  // namespace driftless
