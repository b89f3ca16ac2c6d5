// Rules of laws, in the words of ParticleSystem and BodyFields.

#include "cairn/errors.h"
#include "src/fields/solver.h"
#include "src/scene/field_rules.h"

namespace cairn::ode {

void check(const fields::Any& field, std::uint32_t count) {
  const auto fault = rules::find_fault(field, count);
  if (!fault) return;
  throw InvalidArgument("fields::" + rules::name_of(field) + "::" + fault->field + " " + fault->rule);
}

}  // namespace cairn::ode
