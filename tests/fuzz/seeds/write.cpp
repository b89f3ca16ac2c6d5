// Writes the seeds of fuzz_snapshot and fuzz_recording into folders of their names.   cairn_fuzz_seeds FOLDER

#include <filesystem>
#include <fstream>
#include <iostream>

#include "tests/fuzz/seeds/seeds.h"

namespace {

void write(const std::filesystem::path& folder, const std::vector<cairn::fuzz::Seed>& seeds) {
  std::filesystem::create_directories(folder);
  for (const cairn::fuzz::Seed& seed : seeds) {
    std::ofstream file(folder / seed.name, std::ios::binary);
    file << seed.bytes;
    if (!file) throw std::runtime_error("can't write " + (folder / seed.name).string());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "cairn_fuzz_seeds FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  write(folder / "snapshot", cairn::fuzz::snapshot_seeds());
  write(folder / "recording", cairn::fuzz::recording_seeds());
  return 0;
}
