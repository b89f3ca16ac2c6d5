#pragma once
// Data of the interpreter: decoded instructions, and warps of 32 lanes with their registers.
//
// A register is an array of 32 lanes, of 4 bytes where its type has 32 bits or fewer, else of 8. A predicate is a word
// with a bit a lane. Operands are offsets into a warp's register file, which also has constants and special registers,
// so that handlers treat all alike.

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "memory.h"

namespace ptxdev {

constexpr int kLanes = 32;
constexpr std::uint32_t kAll = 0xffffffffu;
constexpr std::uint32_t kNone = 0xffffffffu;  ///< no operand

// windows of the generic address space; nothing is mapped there
constexpr std::uint64_t kSharedWindow = 0x7f0000000000ull >> 8, kLocalWindow = kSharedWindow + (1ull << 32),
                        kParamWindow = kLocalWindow + (1ull << 32), kWindow = 1ull << 24;

struct Warp;
struct Instr;
using Handler = void (*)(Warp&, const Instr&, std::uint32_t mask);

/// Instructions that the warp's loop executes itself; all others call the handler.
enum class Kind : std::uint8_t { kPlain, kBranch, kExit, kRet, kBarrier, kTogether, kCall, kIndirect, kYield, kTrap };

enum class Space : std::uint8_t { kGeneric, kGlobal, kShared, kLocal, kParam, kConst };

struct alignas(64) Instr {
  Handler run{nullptr};
  std::uint32_t guard{0};       ///< offset of a predicate; of `true` for none
  std::uint32_t guard_flip{0};  ///< all ones for @!p
  std::uint32_t o[6]{kNone, kNone, kNone, kNone, kNone, kNone};
  std::int64_t imm{0};
  std::uint32_t target{0};  ///< of a branch; callee of a call; of a plain one, how many follow each other from it on
  Kind kind{Kind::kPlain};
  Space space{Space::kGeneric};
  std::uint8_t bytes{0};          ///< of one element of an access
  std::uint8_t count{1};          ///< elements of an access
  std::uint8_t defs{0}, uses{0};  ///< bit sets of the o that are written, read
  std::uint8_t wide{0};           ///< bit set of the o with 8 bytes a lane
  std::uint8_t flags{0};
  std::uint32_t statement{0};  ///< index in Kernel::statements
};
static_assert(sizeof(Instr) == 64, "a line of the cache");

// Instr::flags
constexpr std::uint8_t kStrong = 1;                  ///< volatile, relaxed, acquire, release or atomic
constexpr std::uint8_t kUniform = 2;                 ///< bra.uni
constexpr std::uint8_t kAligned = 4;                 ///< bar.sync and barrier.*.aligned
constexpr std::uint8_t kAcquire = 8, kRelease = 16;  ///< of an access
constexpr std::uint8_t kWide = 32;                   ///< a fence for all blocks
constexpr std::uint8_t kAtomicOp = 64;
constexpr std::uint8_t kMeets = 128;  ///< bar.warp.sync

/// The source of an instruction, for messages.
struct Statement {
  std::uint32_t ptx_line{0};
  std::uint32_t file{0}, line{0};
  std::string_view text;
};

struct Module;

struct Parameter {
  std::string_view name;
  std::uint32_t offset{0}, bytes{0};
};

/// The initial value of a register slot.
struct Constant {
  std::uint32_t slot;  ///< offset
  std::uint64_t bits;
  bool wide;
};

enum class Special : std::uint8_t {
  kTid,
  kNtid,
  kCtaid,
  kNctaid,
  kLane,
  kWarp,
  kNwarp,
  kMaskEq,
  kMaskLe,
  kMaskLt,
  kMaskGe,
  kMaskGt,
  kSmid,
  kNsmid,
  kDynamicShared,
  kTotalShared,
  kGridId,
  kClusterZero,
  kClusterOne,
  kLocalBase
};
struct SpecialSlot {
  std::uint32_t slot;
  Special which;
  std::uint8_t axis;
  bool wide;
};

/// Places of arguments and results in the caller, 8 bytes a lane each.
struct CallSite {
  struct Kernel* callee{nullptr};
  std::vector<std::uint32_t> arguments, results;
};

struct Kernel {
  Module* module{nullptr};
  std::string_view name;  ///< as in the text
  std::string_view parameters, results, directives, body;
  std::uint32_t first_line{0};
  bool entry{true};
  bool decoded{false};

  std::vector<Parameter> params, returned;  ///< of a function: offset is the first unit's place
  std::uint32_t param_bytes{0};
  std::vector<Instr> code;
  std::vector<Statement> statements;
  std::vector<Constant> constants;
  std::vector<SpecialSlot> specials;
  std::vector<std::vector<std::uint32_t>> tables;  ///< of indirect branches
  std::vector<CallSite> calls;
  /// A parameter of a function whose address is taken: it has a copy in local memory.
  struct Stacked {
    std::uint32_t unit, units, local;  ///< place of the first unit, count, offset in the function's local memory
  };
  std::vector<Stacked> stacked;
  std::vector<std::uint32_t> argument_units, result_units;  ///< places in the callee
  std::uint32_t register_bytes{0};                          ///< of a warp's file
  std::uint32_t shared_bytes{0}, local_bytes{0};
  std::uint32_t max_threads{1024};
  std::uint32_t registers{0};     ///< as declared [1]
  std::uint32_t contractible{0};  ///< sums and products without a rounding, which the assembler may fuse

  // tallies
  std::uint64_t launches{0}, instructions{0};
};

struct Launch;
struct Block;

/// A call of a function by some lanes of a warp, with their registers.
struct Frame {
  Kernel* function{nullptr};
  std::uint8_t* regs{nullptr};
  Frame* parent{nullptr};
  std::uint32_t return_pc{0}, site{0};  ///< site: in the parent's function
  std::uint32_t depth{0};
  std::uint32_t local_base{0};
  std::uint32_t inside{0};  ///< lanes that haven't returned
  std::uint64_t stamp{0};   ///< of the block of its special registers
  std::vector<std::uint8_t> own;
};

/// Lanes that run together.
struct Group {
  Frame* frame{nullptr};
  std::uint32_t pc{0}, mask{0};
  enum class State : std::uint8_t { kReady, kTogether, kBarrier } state{State::kReady};
  std::uint32_t barrier{0}, expected{0};
};

struct Warp {
  std::uint8_t* regs{nullptr};  ///< of the current frame
  Frame* frame{nullptr};
  Frame base;  ///< of the kernel itself
  std::uint32_t active{0}, pc{0};
  std::uint32_t alive{0};
  Block* block{nullptr};
  Launch* launch{nullptr};
  std::uint32_t index{0};
  /// What an instruction accessed last: an allocation, or all that a window of the generic space shows. Empty where every
  /// access must be resolved.
  struct Near {
    std::uint64_t begin, bytes, shift;  ///< shift: to the bytes, host = address + shift
    const Instr* of;
  };
  std::array<Near, 32> nears{};
  Near& near(const Instr& in) {
    Near& found = nears[in.statement % nears.size()];
    if (found.of != &in) found = {0, 0, 0, &in};
    return found;
  }
  std::uint8_t* shared{nullptr};
  std::uint32_t shared_bytes{0};
  std::vector<std::uint8_t> local;  ///< units of 8 bytes, 32 lanes each
  std::uint32_t local_bytes{0};     ///< a lane
  bool interleaved{false};          ///< true if the last access resolved to local memory
  std::unordered_map<const Kernel*, std::vector<std::unique_ptr<Frame>>> spare;
  std::vector<std::unique_ptr<Frame>> frames;  ///< in use
  std::vector<Group> others;
  std::uint64_t executed{0};
  enum class State : std::uint8_t { kReady, kWaiting, kDone } state{State::kReady};

  Near all_shared(const Instr& in, std::uint64_t begin) const {
    return {begin, shared_bytes, reinterpret_cast<std::uint64_t>(shared) - begin, &in};
  }
  std::uint32_t& predicate(std::uint32_t offset) { return *reinterpret_cast<std::uint32_t*>(regs + offset); }
  template <class T>
  T* lanes(std::uint32_t offset) {
    return reinterpret_cast<T*>(regs + offset);
  }
};

/// A fault of the running program, or an instruction unknown to the interpreter.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws Fault, with the place in the program.
[[noreturn]] void fault(const Warp& warp, const Instr& instr, int lane, const std::string& what);
/// One line on stderr, each text a few times at most; counted for the summary.
void finding(const Warp& warp, const Instr& instr, int lane, const std::string& what);
std::string place(const Warp& warp, const Instr& instr, int lane);
std::uint64_t findings();

}  // namespace ptxdev
