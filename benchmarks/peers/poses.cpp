#include "benchmarks/peers/poses.h"

#include <array>
#include <bit>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cairn/errors.h"

namespace cairn::peers {

static_assert(std::endian::native == std::endian::little, "pose files are written as the machine holds doubles");

namespace {

using Record = std::array<double, 13>;

Record to_record(const BodyState& s) {
  return {s.position.x,         s.position.y,         s.position.z,        s.orientation.x,     s.orientation.y,
          s.orientation.z,      s.orientation.w,      s.linear_velocity.x, s.linear_velocity.y, s.linear_velocity.z,
          s.angular_velocity.x, s.angular_velocity.y, s.angular_velocity.z};
}

BodyState to_state(const Record& r) {
  const auto f = [&](int i) { return static_cast<float>(r[i]); };
  return {{r[0], r[1], r[2]}, {f(3), f(4), f(5), f(6)}, {f(7), f(8), f(9)}, {f(10), f(11), f(12)}};
}

}  // namespace

void save_poses(const std::filesystem::path& file, const Poses& poses) {
  nlohmann::json head{{"engine", poses.engine}, {"bodies", 0}, {"steps", nlohmann::json::array()}};
  if (!poses.frames.empty()) head["bodies"] = poses.frames.front().bodies.size();
  for (const Frame& frame : poses.frames) head["steps"].push_back(frame.step);

  std::ofstream out(file, std::ios::binary);
  out << head.dump() << '\n';
  for (const Frame& frame : poses.frames) {
    for (const BodyState& body : frame.bodies) {
      const Record record = to_record(body);
      out.write(reinterpret_cast<const char*>(record.data()), sizeof record);
    }
  }
  out.flush();
  if (!out) throw Error("poses file \"" + file.string() + "\": can't be written");
}

Poses load_poses(const std::filesystem::path& file, std::size_t bodies) {
  std::ifstream in(file, std::ios::binary);
  std::string line;
  if (!std::getline(in, line)) throw Error("poses file \"" + file.string() + "\": can't be read");
  const nlohmann::json head = nlohmann::json::parse(line);
  if (head.at("bodies").get<std::size_t>() != bodies) {
    throw Error("poses file \"" + file.string() + "\": has " + head.at("bodies").dump() + " bodies, the scene has " +
                std::to_string(bodies));
  }
  Poses poses{head.at("engine").get<std::string>(), {}};
  for (const auto& step : head.at("steps")) {
    Frame frame{step.get<long>(), std::vector<BodyState>(bodies)};
    for (BodyState& body : frame.bodies) {
      Record record;
      if (!in.read(reinterpret_cast<char*>(record.data()), sizeof record)) {
        throw Error("poses file \"" + file.string() + "\": ends within step " + std::to_string(frame.step));
      }
      body = to_state(record);
    }
    poses.frames.push_back(std::move(frame));
  }
  return poses;
}

}  // namespace cairn::peers
