#include "src/scene/check_attributes.h"

namespace cairn::rules {

std::optional<Fault> find_fault(const BodyScales& scales) { return fault_in(scales); }
std::optional<Fault> find_fault(const Scales& scales) { return fault_in(scales); }
std::optional<Fault> find_fault(const Randomisation& ranges) { return fault_in(ranges); }

}  // namespace cairn::rules
