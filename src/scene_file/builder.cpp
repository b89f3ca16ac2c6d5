#include "src/scene_file/builder.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "src/scene/particle_rules.h"
#include "src/scene_file/keys.h"

namespace cairn::scene_file {
namespace {

// max sizes of lists and objects held as nodes, except the particles of one constraint; anything longer is an error,
// and must not take memory first
constexpr std::size_t kMaxKept = 16, kMaxKeys = 24;

/// Adds an element to a LongList, as so many numbers.
template <std::uint64_t kNumbers, auto kRead>
void add(LongList& to, Decoder& decoder, const Node& element, const Path& at) {
  decoder.count(kNumbers, at);
  auto&& value = kRead(element, at);
  to.of<std::remove_cvref_t<decltype(value)>>().push_back(value);
}

void add_tuple(LongList& to, Decoder& decoder, const Node& element, const Path& at) {
  require_kind(element, Kind::kArray, at);
  const std::size_t size = element.items.size();
  decoder.count(size, at);
  if (to.tuple.value_or(size) != size) fail(at, "must be as many particles as in the first");
  to.tuple = size;
  for (std::size_t i = 0; i < size; ++i) to.of<std::uint32_t>().push_back(read_bits(element.items[i], Path(at, i)));
}

}  // namespace

std::string Builder::pointer() const {
  std::string text;
  for (const Frame& frame : stack_) {
    if (frame.node.kind == Kind::kArray) {
      text.append("/").append(std::to_string(frame.count));
    } else if (!frame.key.empty()) {
      text.append("/").append(escaped(frame.key));
    }
  }
  return text;
}

using D = Decoder;
const Builder::List Builder::kLists[]{{nullptr, "", "materials", &D::material},
                                      {nullptr, "", "bodies", &D::body},
                                      {nullptr, "", "articulations", &D::articulation},
                                      {nullptr, "", "particles", &D::particles},
                                      {nullptr, "", "joints", &D::joint},
                                      {nullptr, "", "fields", &D::field},
                                      {nullptr, "", "cameras", &D::camera},
                                      {nullptr, "", "ignore", &D::ignore},
                                      {&D::body, "", "shapes", &D::shape},
                                      {&D::body, "", "point_masses", &D::point_mass},
                                      {&D::articulation, "", "links", &D::link},
                                      {&D::articulation, "", "couplings", &D::coupling},
                                      {&D::articulation, "start", "q", nullptr, add<1, read_double>},
                                      {&D::articulation, "start", "v", nullptr, add<1, read_double>},
                                      {&D::link, "", "shapes", &D::shape},
                                      {&D::coupling, "", "terms", &D::term},
                                      {&D::particles, "", "positions", nullptr, add<3, read_vec3d>},
                                      {&D::particles, "", "velocities", nullptr, add<3, read_vec3>},
                                      {&D::particles, "", "masses", nullptr, add<1, read_float>},
                                      {&D::particles, "", "fixed", nullptr, add<1, read_bits>},
                                      {&D::particles, "", "constraints", &D::constraint},
                                      {&D::particles, "", "attachments", &D::attachment},
                                      {&D::constraint, "", "particles", nullptr, add_tuple},
                                      {&D::constraint, "", "rest", nullptr, add<1, read_float>},
                                      {&D::field, "", "springs", &D::spring},
                                      {&D::field, "", "bodies", nullptr, add<1, read_string>},
                                      {&D::field, "", "particles", nullptr, add<1, read_string>},
                                      {&D::shape, "hull", "points", nullptr, add<3, read_vec3>},
                                      {&D::shape, "mesh", "vertices", nullptr, add<3, read_vec3>},
                                      {&D::shape, "mesh", "triangles", nullptr, add<3, read_triangle>},
                                      {&D::shape, "height_field", "heights", nullptr, add<1, read_float>}};

const Builder::List* Builder::next_list() const {
  const std::size_t depth = stack_.size();
  if (depth == 0 || stack_.back().node.kind != Kind::kObject) return nullptr;
  const auto is_next = [&](const List& list) {
    if (list.key != stack_.back().key) return false;
    if (list.in == nullptr) return depth == 1;
    const std::size_t levels = list.inside.empty() ? 2 : 3;  // from here to the list that it is in
    if (depth <= levels || stack_[depth - levels].list == nullptr) return false;
    return stack_[depth - levels].list->take == list.in && (levels == 2 || stack_[depth - 2].key == list.inside);
  };
  const auto* found = std::ranges::find_if(kLists, is_next);
  return found == std::end(kLists) ? nullptr : found;
}

template <class Then>
void Builder::at_element(std::size_t level, const Path& above, const Then& then) const {
  if (level == stack_.size()) {
    then(above);
    return;
  }
  const Frame& frame = stack_[level];
  const bool is_list = frame.node.kind == Kind::kArray;
  at_element(level + 1, is_list ? Path(above, frame.count) : Path(above, std::string_view(frame.key)), then);
}

bool Builder::put(Node&& node) {
  if (stack_.empty()) {
    require_kind(node, Kind::kObject, root_);
    document_ = std::move(node);
    return true;
  }
  Frame& parent = stack_.back();
  if (parent.node.kind == Kind::kObject) {
    parent.node.keys.push_back(std::exchange(parent.key, {}));
    parent.node.items.push_back(std::move(node));
    return true;
  }
  if (parent.list != nullptr) {
    at_element(0, root_, [&](const Path& at) {
      if (parent.list->add != nullptr) return parent.list->add(*parent.node.list, decoder_, node, at);
      (decoder_.*parent.list->take)(node, at);
    });
  } else {
    const List* const above = stack_.size() > 1 ? stack_[stack_.size() - 2].list : nullptr;
    const bool tuple = above != nullptr && above->add == &add_tuple;
    if (parent.count == (tuple ? rules::kMaxCluster : kMaxKept)) fail_here("too many elements");
    parent.node.items.push_back(std::move(node));
  }
  ++parent.count;
  return true;
}

bool Builder::open(Kind kind) {
  if (stack_.empty() && kind != Kind::kObject) fail_here("must be an object, is " + kind_name(kind));
  if (stack_.size() >= static_cast<std::size_t>(std::max(limits_.depth, 0))) {
    fail_here("nested deeper than " + std::to_string(limits_.depth) + " levels");
  }
  Frame frame;
  if (kind == Kind::kArray) frame.list = next_list();
  frame.node.kind = kind;
  if (frame.list != nullptr && frame.list->add != nullptr) frame.node.list = std::make_shared<LongList>();
  stack_.push_back(std::move(frame));
  return true;
}

bool Builder::close() {
  Node node = std::move(stack_.back().node);
  stack_.pop_back();
  return put(std::move(node));
}

bool Builder::key(string_t& value) {
  Frame& frame = stack_.back();
  const auto& keys = frame.node.keys;
  value = current_key(value);
  if (stack_.size() == 1) require_known(value, kRootKeys, root_);
  if (std::find(keys.begin(), keys.end(), value) != keys.end()) {
    frame.key = value;
    fail_here("is given twice");
  }
  if (keys.size() == kMaxKeys) fail_here("too many keys");
  frame.key = std::move(value);
  return true;
}

bool Builder::null() { return put(Node{}); }

bool Builder::boolean(bool value) { return put({.kind = Kind::kBool, .truth = value}); }

bool Builder::number(std::string digits) {
  return put({.kind = Kind::kNumber, .number = read_number(digits), .text = std::move(digits)});
}

bool Builder::number_integer(number_integer_t value) { return number(std::to_string(value)); }

bool Builder::number_unsigned(number_unsigned_t value) { return number(std::to_string(value)); }

bool Builder::number_float(number_float_t, const string_t& digits) {
  // the parser returns the digits with the decimal point of the process's locale
  std::string plain = digits;
  for (char& c : plain) {
    if (std::string_view("0123456789+-eE").find(c) == std::string_view::npos) c = '.';
  }
  return number(std::move(plain));
}

bool Builder::string(string_t& value) { return put({.kind = Kind::kString, .text = std::move(value)}); }

bool Builder::binary(binary_t&) { fail_here("must be text, is binary"); }

bool Builder::start_object(std::size_t) { return open(Kind::kObject); }

bool Builder::end_object() { return close(); }

bool Builder::start_array(std::size_t) { return open(Kind::kArray); }

bool Builder::end_array() { return close(); }

bool Builder::parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) {
  // the text starts with the class and number of the exception in brackets
  std::string reason = error.what();
  if (const std::size_t bracket = reason.find("] "); bracket != std::string::npos) reason.erase(0, bracket + 2);
  // it quotes the last token, which can be as long as the file
  constexpr std::size_t kLongest = 400;
  if (reason.size() > kLongest) reason = reason.substr(0, kLongest) + "...";
  fail_here(reason);
}

}  // namespace cairn::scene_file
