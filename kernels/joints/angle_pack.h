#pragma once
// Angles of eight joints at once.

#include "kernels/common/body_pack.h"
#include "kernels/joints/angle.h"

#if CAIRN_BODY_PACKS
#include "kernels/common/double_pack.h"

namespace cairn::kernels {

/// Applies f to eight lanes, four at a time.
template <class F>
CAIRN_HD Packd in_halves(Packd a, Packd b, const F& f) {
  return {f(DoublePack(a.low), DoublePack(b.low)).v, f(DoublePack(a.high), DoublePack(b.high)).v};
}
CAIRN_HD Packd atan2(Packd y, Packd x) {
  return in_halves(y, x, [](DoublePack a, DoublePack b) { return atan2(a, b); });
}
CAIRN_HD Packd unwrapped(Packd raw, Packd before) {
  return in_halves(raw, before, [](DoublePack a, DoublePack b) { return unwrapped(a, b); });
}

}  // namespace cairn::kernels

#endif
