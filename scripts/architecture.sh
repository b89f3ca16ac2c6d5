# Sourced by demo.sh and test.sh: sets CAIRN_CUDA_ARCHITECTURES, unless it is set, to that of the GPU that is here, or to 90 where
# there is none. Building for one architecture takes a fraction of the time that the default list takes.

if [ -z "${CAIRN_CUDA_ARCHITECTURES:-}" ]; then
  if command -v nvidia-smi >/dev/null; then
    CAIRN_CUDA_ARCHITECTURES=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
      head -n 1 | tr -dc 0-9) || true
  fi
  CAIRN_CUDA_ARCHITECTURES=${CAIRN_CUDA_ARCHITECTURES:-90}
fi
