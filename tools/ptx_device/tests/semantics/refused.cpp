// Statements that look like PTX and aren't, and must not run: ptxas refuses each of them.

#include <cstdio>

#include "../../src/module.h"
#include "form.h"

namespace semantics {
namespace {

constexpr const char* kStatements[] = {
    // modifiers of other types
    "add.sat.f64 %d0, %d1, %d2",
    "div.rn.sat.f32 %w0, %w1, %w2",
    "fma.rn.sat.f64 %d0, %d1, %d2, %d3",
    "min.rn.f32 %w0, %w1, %w2",
    "max.sat.f32 %w0, %w1, %w2",
    "abs.rn.f32 %w0, %w1",
    "neg.rn.f64 %d0, %d1",
    "fma.f32 %w0, %w1, %w2, %w3",
    "sqrt.f32 %w0, %w1",
    "add.rn.rn.f32 %w0, %w1, %w2",
    "add.cc.u16 %h0, %h1, %h2",
    "testp.finite.rn.f32 %p0, %w0",
    "bfind.shiftamt.b32 %w0, %w1",
    "cvt.sat.u32.u8 %w0, %h1",
    "cvt.rzi.s32.u32 %w0, %w1",
    "cvt.rn.s32.f32 %w0, %w1",
    "cvt.rni.f32.s32 %w0, %w1",
    "cvt.rn.f64.f32 %d0, %w1",
    "cvt.rn.f32.f32 %w0, %w1",
    "cvt.f32.f64 %w0, %d1",
    "cvt.s32.f32 %w0, %w1",
    "cvt.f32.s32 %w0, %w1",
    "cvt.b32.b16 %w0, %h1",
    // types of other instructions
    "add.b32 %w0, %w1, %w2",
    "neg.u32 %w0, %w1",
    "abs.b64 %d0, %d1",
    "mul.u32 %w0, %w1, %w2",
    "mul.lo.b32 %w0, %w1, %w2",
    "mul.wide.u64 %d0, %d1, %d2",
    "mad.b32 %w0, %w1, %w2, %w3",
    "min.b32 %w0, %w1, %w2",
    "addc.b32 %w0, %w1, %w2",
    "mad.lo.cc.u16 %h0, %h1, %h2, %h3",
    "and.u32 %w0, %w1, %w2",
    "not.s32 %w0, %w1",
    "cnot.pred %p0, %p1",
    "popc.u32 %w0, %w1",
    "brev.s32 %w0, %w1",
    "clz.b16 %w0, %h1",
    "shl.u32 %w0, %w1, %w2",
    "bfe.b32 %w0, %w1, %w2, %w3",
    "bfi.u32 %w0, %w1, %w2, %w3, %w0",
    "bmsk.b32 %w0, %w1, %w2",
    "shf.l.b32 %w0, %w1, %w2, %w3",
    "shf.l.wrap.u32 %w0, %w1, %w2, %w3",
    "prmt.u32 %w0, %w1, %w2, %w3",
    "lop3.u32 %w0, %w1, %w2, %w3, 5",
    "mov.u8 %h0, %h1",
    "selp.pred %p0, %p1, %p2, %p0",
    "setp.lo.s32 %p0, %w1, %w2",
    "setp.lt.b32 %p0, %w1, %w2",
    "setp.hi.f32 %p0, %w1, %w2",
    "setp.ltu.u32 %p0, %w1, %w2",
    "setp.eq.u8 %p0, %h1, %h2",
    "setp.lt.pred %p0, %p1, %p2",
    "shfl.sync.up.u32 %w0, %w1, %w2, %w3, %w0",
    "shfl.up.b32 %w0, %w1, %w2, %w3",
    "vote.sync.ballot.pred %p0, %p1, %w2",
    "match.any.sync.u32 %w0, %w1, %w2",
    "redux.sync.add.b32 %w0, %w1, %w2",
    "redux.sync.and.u32 %w0, %w1, %w2",
    "activemask.u32 %w0",
    // parts and operands
    "mov.u32 %w0, {%h0, %h1}",
    "mov.f64 {%w0, %w1}, %d0",
    "mov.u64 {%w0, %w1}, %d0",
    "mov.b16 {%h0, %h1}, %h2",
    "add.u32 %w0, %w1, %w2, %w3",
    "add.u32 %w0, %w1",
    "fma.rn.f32 %w0, %w1, %w2",
    "abs.s32 %w0, %w1, %w2",
    "lop3.b32 %w0, %w1, %w2, %w3",
    "match.any.sync.b32 %w0|%p0, %w1, %w2",
    "bra.uni",
    "add.u32 %w0, %d1, %w2",
    "add.u32 %d0, %w1, %w2",
    "add.u64 %d0, %w1, %d2",
    "shl.b32 %w0, %w1, %d2",
    "popc.b64 %d0, %d1",
    "selp.b32 %d0, %w1, %w2, %p0",
    "atom.global.add.u32 %d0, [%d1], %w1",
    "add.u32 %p0, %w1, %w2",
    "add.u32 %w0, %p1, %w2",
    "mov.u64 %d0, %w1",
    "and.pred %p0, %w1, %p2",
    "setp.eq.u32 %w0, %w1, %w2",
    // memory
    "atom.global.min.b32 %w0, [%d0], %w1",
    "atom.global.and.u32 %w0, [%d0], %w1",
    "atom.global.exch.u32 %w0, [%d0], %w1",
    "atom.global.cas.u32 %w0, [%d0], %w1, %w2",
    "atom.global.inc.s32 %w0, [%d0], %w1",
    "atom.global.add.s64 %d1, [%d0], %d2",
    "atom.global.add.u32 %w0, [%d0], %w1, %w2",
    "atom.weak.global.add.u32 %w0, [%d0], %w1",
    "red.global.exch.b32 [%d0], %w1",
    "red.global.cas.b32 [%d0], %w1, %w2",
    "red.acquire.gpu.global.add.u32 [%d0], %w1",
    "ld.release.gpu.global.u32 %w0, [%d0]",
    "ld.relaxed.global.u32 %w0, [%d0]",
    "ld.nc.u32 %w0, [%d0]",
    "ld.shared.nc.u32 %w0, [%d0]",
    "ld.volatile.const.u32 %w0, [%d0]",
    "ld.global.wb.u32 %w0, [%d0]",
    "ld.global.v4.u64 {%d1, %d2, %d3, %d1}, [%d0]",
    "ld.global.gpu.u32 %w0, [%d0]",
    "st.acquire.gpu.global.u32 [%d0], %w0",
    "st.const.u32 [%d0], %w0",
    "st.global.nc.u32 [%d0], %w0",
    "st.global.ca.u32 [%d0], %w0",
    "ldu.shared.u32 %w0, [%d0]",
    "ldu.volatile.u32 %w0, [%d0]",
    "membar.gpu",
    "membar.sc.sys",
    "fence.acq_rel",
    "fence.gl",
    "prefetch.shared.L1 [%d0]",
    "prefetch.L3 [%d0]",
    "cvta.u64 %d0, %d1",
    // control flow
    "exit.uni",
    "trap.uni",
    "bar.warp %w0",
    "bar.red.pred %p0, 0, %p1",
    "bar.red.aligned.and.pred %p0, 0, %p1",
    "griddepcontrol",
    "nanosleep.u64 %d0",
};

}  // namespace

std::span<const char* const> refused_statements() { return kStatements; }

int not_refused() {
  int count = 0;
  for (const char* statement : kStatements) {
    const std::string text = std::string(
                                 ".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
                                 ".reg .pred %p<4>;\n.reg .b16 %h<4>;\n.reg .b32 %w<4>;\n.reg .b64 %d<4>;\n") +
                             statement + ";\nret;\n}\n";
    try {
      ptxdev::Module module(text);
      ptxdev::decode(module.kernels.front());
      std::printf("not refused: %s\n", statement);
      ++count;
    } catch (const ptxdev::Fault&) {
    }
  }
  return count;
}

}  // namespace semantics
