#pragma once
// The step in groups that compile separately: each src/step_cpu_*.cpp and src/step_cuda_*.cu includes the pages of a
// group and holds its instantiations for its processor. So a change of one solver recompiles only that solver, and the
// cores share the work. Where a function is compiled changes no bit. A group lists instantiations for one Exec; HOW is
// `extern`, or empty in the source that holds them.

#define CAIRN_STEP_COLLIDE(HOW, EXEC)                         \
  HOW template void pair<EXEC>(EXEC&, const StepContext&);    \
  HOW template void collide<EXEC>(EXEC&, const StepContext&); \
  HOW template void ccd<EXEC>(EXEC&, const StepContext&);     \
  HOW template void prepare<EXEC>(EXEC&, const StepContext&);

#define CAIRN_STEP_SOFT_STEP(HOW, EXEC)                                                       \
  HOW template void soft_step_start<EXEC>(EXEC&, const StepContext&, int);                    \
  HOW template void row_pass<kernels::RowPass::kBias, EXEC>(EXEC&, const StepContext&);       \
  HOW template void row_pass<kernels::RowPass::kRelax, EXEC>(EXEC&, const StepContext&);      \
  HOW template void row_pass<kernels::RowPass::kSequential, EXEC>(EXEC&, const StepContext&); \
  HOW template void restitute<EXEC>(EXEC&, const StepContext&, int);

#define CAIRN_STEP_OTHER_SOLVERS(HOW, EXEC)                                                   \
  HOW template void xpbd_pass<kernels::XpbdPass::kPosition, EXEC>(EXEC&, const StepContext&); \
  HOW template void xpbd_pass<kernels::XpbdPass::kVelocity, EXEC>(EXEC&, const StepContext&); \
  HOW template void dissipate<EXEC>(EXEC&, const StepContext&, int);                          \
  HOW template void avbd_pass<EXEC>(EXEC&, const StepContext&);                               \
  HOW template void hertz_force<EXEC>(EXEC&, const StepContext&);                             \
  HOW template void hertz_push<EXEC>(EXEC&, const StepContext&);

#define CAIRN_STEP_JOINTS(HOW, EXEC)                                                         \
  HOW template void joint_pass<kernels::JointPass::kStart, EXEC>(EXEC&, const StepContext&); \
  HOW template void joint_pass<kernels::JointPass::kBias, EXEC>(EXEC&, const StepContext&);  \
  HOW template void joint_pass<kernels::JointPass::kRelax, EXEC>(EXEC&, const StepContext&); \
  HOW template void joints<EXEC>(EXEC&, const StepContext&, int);

#define CAIRN_STEP_ARTICULATIONS(HOW, EXEC)                                     \
  HOW template void effective_masses<EXEC>(EXEC&, const StepContext&, bool);    \
  HOW template void articulation_predict<EXEC>(EXEC&, const StepContext&, int); \
  HOW template void articulation_settle<EXEC>(EXEC&, const StepContext&);       \
  HOW template void articulation_turn<EXEC>(EXEC&, const StepContext&);         \
  HOW template void articulation_advance<EXEC>(EXEC&, const StepContext&);

#define CAIRN_STEP_QUERIES(HOW, EXEC)                                            \
  HOW template void query<EXEC>(EXEC&, const StepContext&, const QueryContext&); \
  HOW template void sense<EXEC>(EXEC&, const StepContext&, const SenseContext&);

#define CAIRN_STEP_PARTICLES(HOW, EXEC)                              \
  HOW template void particles<EXEC>(EXEC&, const StepContext&, int); \
  HOW template void fluids<EXEC>(EXEC&, const StepContext&);

/// The groups of the motion on the CPU, for part 0 and for small worlds.
#define CAIRN_STEP_MOTION(GROUP, HOW) \
  GROUP(HOW, exec::CpuExec)           \
  GROUP(HOW, exec::CpuPart)
