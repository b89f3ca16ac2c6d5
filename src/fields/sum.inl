#pragma once

#include <utility>

#include "kernels/fields/sums.h"
#include "src/exec/memory.h"

namespace cairn::ode {

/// Sums over particles, in an order that depends only on their number.
template <class Processor>
class Sums {
 public:
  Sums(Processor& processor, std::uint32_t count)
      : processor_(processor),
        count_(count),
        a_(processor.memory(), kernels::sum_blocks(count)),
        b_(processor.memory(), kernels::sum_blocks(kernels::sum_blocks(count))) {}

  /// Sum of value(i), or the largest of them. Waits for it.
  template <class Value>
  double of(const Value& value) {
    return reduce<false>(value);
  }
  template <class Value>
  double largest(const Value& value) {
    return reduce<true>(value);
  }

 private:
  template <bool kLargest, class Value>
  double reduce(const Value& value) {
    if (count_ == 0) return 0.0;
    double *from = a_.data(), *to = b_.data();
    std::uint32_t blocks = kernels::sum_blocks(count_);
    processor_.exec().for_each(blocks, kernels::ReduceBlock<Value, kLargest>{value, count_, from});
    while (blocks > 1) {
      const std::uint32_t above = kernels::sum_blocks(blocks);
      processor_.exec().for_each(above, kernels::ReduceBlock<kernels::SumOf, kLargest>{{from}, blocks, to});
      std::swap(from, to);
      blocks = above;
    }
    return processor_.memory().get(from);
  }

  Processor& processor_;
  std::uint32_t count_;
  exec::Buffer<double> a_, b_;
};

}  // namespace cairn::ode
