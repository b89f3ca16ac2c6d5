#pragma once
// Builds small nodes from the events of a JSON parser, and passes bodies, shapes, links, joints and materials to the
// decoder one by one, so that a large file takes little more memory than its scene. There is no recursion, except along
// the few levels down to a list: depth costs a stack entry.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "src/scene_file/decode.h"

namespace cairn::scene_file {

class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(const Path& root, const SceneFileLimits& limits, const SceneFileOptions& options)
      : root_(root), limits_(limits), decoder_(root, limits, options) {}

  /// The scene, once the parser has read the whole file.
  Scene finish() { return decoder_.finish(document_); }

  bool null() override;
  bool boolean(bool value) override;
  bool number_integer(number_integer_t value) override;
  bool number_unsigned(number_unsigned_t value) override;
  bool number_float(number_float_t value, const string_t& digits) override;
  bool string(string_t& value) override;
  bool binary(binary_t& value) override;
  bool start_object(std::size_t size) override;
  bool key(string_t& value) override;
  bool end_object() override;
  bool start_array(std::size_t size) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::json::exception& error) override;

 private:
  /// Treatment of an array's elements.
  enum class Sink : std::uint8_t {
    kKeep,
    kMaterials,
    kBodies,
    kArticulations,
    kLinks,
    kCouplings,
    kTerms,
    kShapes,
    kJoints,
    kIgnored,
    kPointMasses,
    kParticles,
    kConstraints,
    kAttachments,
    kFields,
    kCameras,
    kSprings,
    kPoints,
    kTriangles,
    kNumbers,
    kReals,
    kPositions,
    kIndices,
    kTuples,
    kNames,  ///< of LongList
  };

  struct Frame {
    Node node;
    Sink sink{Sink::kKeep};
    std::size_t count{0};  ///< [1] elements so far
    std::string key;       ///< of the member being read
  };

  const Path& root_;
  const SceneFileLimits& limits_;
  Decoder decoder_;
  std::vector<Frame> stack_;
  Node document_;

  bool number(std::string digits);
  void open(Kind kind);
  bool close();
  void put(Node&& node);
  void take(Frame& list, const Node& element, const Path& at);
  /// Calls `then` with the place of the last element read, of the lists from `level` on.
  template <class Then>
  void at_element(std::size_t level, const Path& above, const Then& then) const;
  Sink sink_of_next_array() const;
  std::string pointer() const;
  [[noreturn]] void fail_here(const std::string& reason) const { fail(root_.file(), pointer(), reason); }
};

}  // namespace cairn::scene_file
