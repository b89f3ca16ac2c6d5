#pragma once
// The parts that a batch is solved in. Worlds don't interact, so one can be integrated from its first substep to its
// last while the others wait. Part 0 holds the large worlds, which are solved together, a launch per colour. Each
// further part holds some whole small worlds, and one block of threads runs all their substeps. The part of a world
// changes no bit.

#include <cstdint>

#include "kernels/common/annotate.h"
#include "kernels/common/contact_rows.h"

namespace cairn::kernels {

/// [1] A colour with more rows than this gets a launch of its own. Max colours of a class with one: as many as a
/// settled pile needs between dynamic bodies, or for static ends.
inline constexpr std::uint32_t kWideRows = 128, kMaxWide[2] = {16, 8};

struct Parts {
  std::uint32_t count;              ///< [1] with part 0, which may be empty
  std::uint32_t swept;              ///< [1] parts that have bodies. If less than `count`, the last part has none, and
                                    ///<     holds the rows of islands that are solved directly (kernels/direct)
  std::uint32_t large;              ///< [1] bodies of part 0
  const std::uint32_t* of_world;    ///< [1] (worlds)
  const std::uint32_t* body_begin;  ///< [1] (swept + 1) first of each part's bodies in `body`
  const std::uint32_t* body;        ///< [1] (bodies) slots, part by part; null if part 0 has all
  std::uint32_t* color_begin;       ///< [1] (bands + 1) first entry of row_order of each colour of each part
  std::uint32_t* color_row;         ///< [1] (bands + 1) first row slot of each colour of each part
  std::uint32_t* last_round;        ///< [1] (parts) of each (kernels/common/rounds.h)
  std::uint32_t* repeats;           ///< [1] (parts) kNone if no row is repeated, else the last round in which some
                                    ///<     impulse changed (kernels/solve/repeated_rows.h)
  std::uint32_t colors[2];          ///< [1] by class: no row has a colour from here on; affects speed only
  std::uint32_t wide[2];            ///< [1] by class: the first colours, which get a launch of their own; later colours
                                    ///<     have few rows. Affects speed only
  friend bool operator==(const Parts&, const Parts&) = default;

  /// A band is a colour of a part.
  CAIRN_HD static std::uint32_t band_of(std::uint32_t part, std::uint32_t color) { return part * kColorCount + color; }
  CAIRN_HD std::uint32_t bands() const { return count * kColorCount; }
  CAIRN_HD bool has_direct() const { return swept != count; }
};

/// Consecutive entries of row_order, of one colour. Their rows are consecutive as well.
struct RowRun {
  std::uint32_t entry;  ///< [1] first of row_order
  std::uint32_t slot;   ///< [1] its row slot
  std::uint32_t count;  ///< [1] as many as a T has lanes; fewer at the end of the colour
};

}  // namespace cairn::kernels
