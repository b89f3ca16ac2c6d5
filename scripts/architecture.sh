# Sourced by demo.sh and test.sh. Sets
#   CAIRN_GPU                 the compute capability of the GPU that is here, as in 90, or `none`
#   CAIRN_CUDA_ARCHITECTURES  unless it is set, that, or 90: building for one takes a fraction of the time of the default list
#   CAIRN_NVCC                the CUDA compiler, or empty

CAIRN_GPU=none
if command -v nvidia-smi >/dev/null; then
  CAIRN_GPU=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -dc 0-9) || true
  CAIRN_GPU=${CAIRN_GPU:-none}
fi
if [ -z "${CAIRN_CUDA_ARCHITECTURES:-}" ]; then
  CAIRN_CUDA_ARCHITECTURES=$CAIRN_GPU
  [ "$CAIRN_GPU" != none ] || CAIRN_CUDA_ARCHITECTURES=90
fi
# where cmake looks, too, and none that it refuses: one that is broken, or older than 12 (cmake/cairn_cuda.cmake)
CAIRN_NVCC=$(PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin:${CUDA_PATH:-/usr/local/cuda}/bin:/usr/local/cuda/bin
  command -v nvcc) || true
if [ -n "$CAIRN_NVCC" ]; then
  nvcc_release=$("$CAIRN_NVCC" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\).*/\1/p') || true
  [ "${nvcc_release:-0}" -ge 12 ] || CAIRN_NVCC=
fi
