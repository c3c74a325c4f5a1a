// Whoever may ask for an end: a std::stop_token, or anything like it, without the price of its header.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace driftless {

class StopRequest {
 public:
  StopRequest() = default;  // nobody
  template <class Token>
  requires(!std::is_same_v<Token, StopRequest> && requires(const Token& token) { token.stop_requested(); })
      StopRequest(Token token)
      : token_(std::make_shared<const Token>(std::move(token))),
        ask_([](const void* asked) { return bool(static_cast<const Token*>(asked)->stop_requested()); }) {}

  bool stop_requested() const { return ask_ && ask_(token_.get()); }

 private:
  std::shared_ptr<const void> token_;
  bool (*ask_)(const void* token) = nullptr;
};

}  // namespace driftless
