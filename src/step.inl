// THE PAGE: one step, from poses to poses. Instantiated for the CPU in src/step_cpu.cpp and for CUDA in
// src/step_cuda*.cu and, for small worlds, src/move_cuda.cu and src/move_contacts_cuda.cu.
// Inputs and outputs of each stage: docs/pipeline.md.

#pragma once

#include "src/advance/advance.inl"
#include "src/bound/bound.inl"
#include "src/ccd/ccd.inl"
#include "src/collide/collide.inl"
#include "src/color/color.inl"
#include "src/events/events.inl"
#include "src/exchange/exchange.inl"
#include "src/fields/fields.inl"
#include "src/finish/finish.inl"
#include "src/fluids/fluids.inl"
#include "src/joints/joints.inl"
#include "src/match/match.inl"
#include "src/pair/pair.inl"
#include "src/particles/particles.inl"
#include "src/predict/predict.inl"
#include "src/prepare/prepare.inl"
#include "src/queries/queries.inl"
#include "src/reset/reset.inl"
#include "src/residual/residual.inl"
#include "src/restitute/restitute.inl"
#include "src/scale/scale.inl"
#include "src/sensors/sensors.inl"
#include "src/sleep/sleep.inl"
#include "src/solve/solve.inl"
#include "src/task.h"

namespace cairn {

/// The motion of one part of the worlds: from prepared rows to the velocities and displacements at the step's end.
CAIRN_UNCHECKED
template <class Exec>
CAIRN_BOTH void move(Exec& exec, const StepContext& s) {
  for (int substep = 0; substep < s.substeps; ++substep) {
    predict(exec, s, substep);
    particles(exec, s, substep);
    fluids(exec, s);
    if (substep == 0) joints(exec, s, 0);
    if (may_have<Exec>(s.restitution)) restitute(exec, s, substep);
    solve(exec, s, substep);
    advance(exec, s);
    joints(exec, s, substep + 1);
    relax(exec, s, substep);
  }
}

/// The same as a functor, for each_part.
struct Move {
  StepContext s;
  CAIRN_UNCHECKED
  template <class Exec>
  CAIRN_BOTH void operator()(Exec& exec) const {
    move(exec, s);
  }
};

template <class Exec>
void step(Exec& exec, const StepContext& s) {
  exec.guard(&s.state->overflow);
  begin(exec, s);
  if (s.fields != nullptr) field(exec, s);

  // contacts
  bound(exec, s);
  pair(exec, s);
  match(exec, s);
  collide(exec, s);
  if (s.sleeping) wake(exec, s);
  color(exec, s);
  prepare(exec, s);

  // motion: large worlds together, stage by stage; each small one through all stages at once
  if (s.parts.large != 0) move(exec, s);
  if (s.parts.swept > 1) exec.each_part(s.parts, only_contacts(s), Move{s});
  if (s.ccd) ccd(exec, s);

  finish(exec, s);
  if (s.constraints.breakable.count != 0) break_constraints(exec, s);
  if (s.sleeping) sleep(exec, s);
  if (s.events.counts != nullptr) events(exec, s);
  if (s.mirrored) mirror(exec, s);
  end(exec, s);
}

template <class Exec>
void run(Exec& exec, const StepContext& s, const Task& task) {
  struct Pages {
    Exec& exec;
    const StepContext& s;
    void operator()(const ResetContext& of) const { reset(exec, s, of); }
    void operator()(const ScaleContext& of) const { scale(exec, s, of); }
    void operator()(const kernels::Residuals& of) const { residual(exec, s, of); }
    void operator()(const QueryContext& of) const { query(exec, s, of); }
    void operator()(const ExchangeContext& of) const { exchange(exec, s, of); }
    void operator()(const SenseContext& of) const { sense(exec, s, of); }
  };
  std::visit(Pages{exec, s}, task);
}

}  // namespace cairn
