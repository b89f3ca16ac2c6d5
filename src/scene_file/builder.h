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
  /// What becomes of the elements of a list that isn't held as nodes: the decoder takes each, or it goes into a
  /// LongList.
  using Take = void (Decoder::*)(const Node&, const Path&);
  using Add = void (*)(LongList&, Decoder&, const Node&, const Path&);
  struct List {
    Take in;                  ///< that of the list whose elements have this one; null: the file has it
    std::string_view inside;  ///< key of an object in such an element, which has it; empty: the element has it
    std::string_view key;
    Take take;
    Add add{nullptr};
  };
  static const List kLists[];

  struct Frame {
    Node node;
    const List* list{nullptr};  ///< null: its elements are nodes
    std::size_t count{0};       ///< [1] elements so far
    std::string key;            ///< of the member being read
  };

  const Path& root_;
  const SceneFileLimits& limits_;
  Decoder decoder_;
  std::vector<Frame> stack_;
  Node document_;

  bool number(std::string digits);
  bool open(Kind kind);
  bool close();
  bool put(Node&& node);
  /// Calls `then` with the place of the last element read, of the lists from `level` on.
  template <class Then>
  void at_element(std::size_t level, const Path& above, const Then& then) const;
  const List* next_list() const;
  std::string pointer() const;
  [[noreturn]] void fail_here(const std::string& reason) const { fail(root_.file(), pointer(), reason); }
};

}  // namespace cairn::scene_file
