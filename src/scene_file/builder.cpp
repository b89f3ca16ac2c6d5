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

Builder::Sink Builder::sink_of_next_array() const {
  const std::size_t depth = stack_.size();
  if (depth == 0 || stack_.back().node.kind != Kind::kObject) return Sink::kKeep;
  const std::string& key = stack_.back().key;
  // whether `list` holds the object that contains the array, so many levels up
  const auto in = [&](Sink list, std::size_t levels) { return depth > levels && stack_[depth - levels].sink == list; };
  if (depth == 1 && key == "bodies") return Sink::kBodies;
  if (depth == 1 && key == "materials") return Sink::kMaterials;
  if (depth == 1 && key == "articulations") return Sink::kArticulations;
  if (depth == 1 && key == "particles") return Sink::kParticles;
  if (depth == 1 && key == "joints") return Sink::kJoints;
  if (depth == 1 && key == "fields") return Sink::kFields;
  if (depth == 1 && key == "cameras") return Sink::kCameras;
  if (depth == 1 && key == "ignore") return Sink::kIgnored;
  if (in(Sink::kArticulations, 2) && key == "links") return Sink::kLinks;
  if (in(Sink::kArticulations, 2) && key == "couplings") return Sink::kCouplings;
  if (in(Sink::kCouplings, 2) && key == "terms") return Sink::kTerms;
  if (in(Sink::kArticulations, 3) && stack_[depth - 2].key == "start" && (key == "q" || key == "v"))
    return Sink::kReals;
  if (in(Sink::kParticles, 2)) {
    if (key == "positions") return Sink::kPositions;
    if (key == "velocities") return Sink::kPoints;
    if (key == "masses") return Sink::kNumbers;
    if (key == "fixed") return Sink::kIndices;
    if (key == "constraints") return Sink::kConstraints;
    if (key == "attachments") return Sink::kAttachments;
  }
  if (in(Sink::kConstraints, 2)) {
    if (key == "particles") return Sink::kTuples;
    if (key == "rest") return Sink::kNumbers;
  }
  if (in(Sink::kFields, 2)) {
    if (key == "springs") return Sink::kSprings;
    if (key == "bodies" || key == "particles") return Sink::kNames;
  }
  if ((in(Sink::kBodies, 2) || in(Sink::kLinks, 2)) && key == "shapes") return Sink::kShapes;
  if (in(Sink::kBodies, 2) && key == "point_masses") return Sink::kPointMasses;
  if (in(Sink::kShapes, 3)) {
    const std::string& shape = stack_[depth - 2].key;
    if (shape == "hull" && key == "points") return Sink::kPoints;
    if (shape == "mesh" && key == "vertices") return Sink::kPoints;
    if (shape == "mesh" && key == "triangles") return Sink::kTriangles;
    if (shape == "height_field" && key == "heights") return Sink::kNumbers;
  }
  return Sink::kKeep;
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

void Builder::take(Frame& list, const Node& element, const Path& at) {
  switch (list.sink) {
    case Sink::kMaterials:
      decoder_.material(element, at);
      break;
    case Sink::kBodies:
      decoder_.body(element, at);
      break;
    case Sink::kArticulations:
      decoder_.articulation(element, at);
      break;
    case Sink::kLinks:
      decoder_.link(element, at);
      break;
    case Sink::kCouplings:
      decoder_.coupling(element, at);
      break;
    case Sink::kTerms:
      decoder_.term(element, at);
      break;
    case Sink::kShapes:
      decoder_.shape(element, at);
      break;
    case Sink::kJoints:
      decoder_.joint(element, at);
      break;
    case Sink::kIgnored:
      decoder_.ignore(element, at);
      break;
    case Sink::kPointMasses:
      decoder_.point_mass(element, at);
      break;
    case Sink::kParticles:
      decoder_.particles(element, at);
      break;
    case Sink::kConstraints:
      decoder_.constraint(element, at);
      break;
    case Sink::kAttachments:
      decoder_.attachment(element, at);
      break;
    case Sink::kFields:
      decoder_.field(element, at);
      break;
    case Sink::kCameras:
      decoder_.camera(element, at);
      break;
    case Sink::kSprings:
      decoder_.spring(element, at);
      break;
    case Sink::kNames:
      decoder_.count(1, at);
      list.node.list->names.push_back(read_string(element, at));
      break;
    case Sink::kPositions:
      decoder_.count(3, at);
      list.node.list->positions.push_back(read_vec3d(element, at));
      break;
    case Sink::kIndices:
      decoder_.count(1, at);
      list.node.list->indices.push_back(read_bits(element, at));
      break;
    case Sink::kTuples:
      require_kind(element, Kind::kArray, at);
      decoder_.count(element.items.size(), at);
      if (list.count == 0) list.node.list->tuple = element.items.size();
      if (element.items.size() != list.node.list->tuple) fail(at, "must be as many particles as in the first");
      for (std::size_t i = 0; i < element.items.size(); ++i) {
        list.node.list->indices.push_back(read_bits(element.items[i], Path(at, i)));
      }
      break;
    case Sink::kPoints:
      decoder_.count(3, at);
      list.node.list->points.push_back(read_vec3(element, at));
      break;
    case Sink::kTriangles:
      decoder_.count(3, at);
      list.node.list->triangles.push_back(read_triangle(element, at));
      break;
    case Sink::kNumbers:
      decoder_.count(1, at);
      list.node.list->numbers.push_back(read_float(element, at));
      break;
    case Sink::kReals:
      decoder_.count(1, at);
      list.node.list->reals.push_back(read_double(element, at));
      break;
    case Sink::kKeep:
      break;
  }
}

void Builder::put(Node&& node) {
  if (stack_.empty()) {
    require_kind(node, Kind::kObject, root_);
    document_ = std::move(node);
    return;
  }
  Frame& parent = stack_.back();
  if (parent.node.kind == Kind::kObject) {
    parent.node.keys.push_back(std::exchange(parent.key, {}));
    parent.node.items.push_back(std::move(node));
    return;
  }
  if (parent.sink != Sink::kKeep) {
    at_element(0, root_, [&](const Path& at) { take(parent, node, at); });
  } else {
    const bool tuple = stack_.size() > 1 && stack_[stack_.size() - 2].sink == Sink::kTuples;
    if (parent.count == (tuple ? rules::kMaxCluster : kMaxKept)) fail_here("too many elements");
    parent.node.items.push_back(std::move(node));
  }
  ++parent.count;
}

void Builder::open(Kind kind) {
  if (stack_.empty() && kind != Kind::kObject) fail_here("must be an object, is " + kind_name(kind));
  if (stack_.size() >= static_cast<std::size_t>(std::max(limits_.depth, 0))) {
    fail_here("nested deeper than " + std::to_string(limits_.depth) + " levels");
  }
  Frame frame;
  frame.sink = kind == Kind::kArray ? sink_of_next_array() : Sink::kKeep;
  frame.node.kind = kind;
  if (frame.sink >= Sink::kPoints) frame.node.list = std::make_shared<LongList>();
  stack_.push_back(std::move(frame));
}

bool Builder::close() {
  Node node = std::move(stack_.back().node);
  stack_.pop_back();
  put(std::move(node));
  return true;
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

bool Builder::null() {
  put(Node{});
  return true;
}

bool Builder::boolean(bool value) {
  Node node;
  node.kind = Kind::kBool;
  node.truth = value;
  put(std::move(node));
  return true;
}

bool Builder::number(std::string digits) {
  Node node;
  node.kind = Kind::kNumber;
  node.number = read_number(digits);
  node.text = std::move(digits);
  put(std::move(node));
  return true;
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

bool Builder::string(string_t& value) {
  Node node;
  node.kind = Kind::kString;
  node.text = std::move(value);
  put(std::move(node));
  return true;
}

bool Builder::binary(binary_t&) { fail_here("must be text, is binary"); }

bool Builder::start_object(std::size_t) {
  open(Kind::kObject);
  return true;
}

bool Builder::end_object() { return close(); }

bool Builder::start_array(std::size_t) {
  open(Kind::kArray);
  return true;
}

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
