# Sourced by nightly.sh and by the rehearsal's compute-sanitizer.
#   findings FILE     what the emulated device found, of a program's output; false where that is nothing

# contacts are copied with the points that they don't have
harmless='that nobody wrote.*kernels::Collide>'
findings() { grep 'ptx-device: F' "$1" | grep -v "$harmless"; }
