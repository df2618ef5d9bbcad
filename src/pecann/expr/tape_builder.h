// From expressions to the instructions of a tape. Equal sub-expressions are computed once; the parts that the tape
// reads instead of computing (its inputs) are chosen by the caller.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "pecann/expr/expr.h"
#include "pecann/kernel/tape.h"

namespace pecann::expr {

class TapeBuilder {
 public:
  virtual ~TapeBuilder() = default;

  /// Adds what `a` needs and makes it the next output.
  void add_output(const Expr& a) { outputs_.push_back(emit(a)); }

  /// The tape. new_place[i] is the register of the input that read() called i; its size is the number of inputs.
  kernel::Tape finish(const std::vector<int>& new_place) const;

 protected:
  /// The number of the input that holds `a`, counted from 0 in the order the caller likes; nothing where `a` is
  /// to be computed.
  virtual std::optional<int> read(const Expr& a) = 0;
  /// Whether the terms (factors) of a sum (product) that hold no field are put together and read as one input.
  virtual bool gathers_coordinates() const = 0;

 private:
  using Register = std::int32_t;  // instruction k writes register k, input i is register -2 - i (-1 is none)

  Register emit(const Expr& a);
  Register emit_new(const Expr& a);
  Register emit_sum(const Expr& a);
  Register emit_product(const Expr& a);
  Register emit_quotient(const Expr& a);
  Register emit_power(const Expr& a);
  Register write(kernel::TapeOp op, Register a = -1, Register b = -1, Register c = -1, double value = 0);
  Register chained(kernel::TapeOp op, std::optional<Register> left, Register right);

  std::vector<kernel::TapeInstruction> instructions_;
  std::vector<Register> outputs_;
  std::unordered_map<Expr, Register, ExprHash, ExprSame> done_;
};

}  // namespace pecann::expr
