# Sourced by scripts that are made of parts: takes the parts that are asked for, or all.
#   take_parts SCRIPT "KNOWN..." "$@"     exits with 2 where one isn't known
#   wanted PART                           true for one of those

take_parts() {
  local script=$1 known part
  read -ra known <<<"$2"
  shift 2
  parts=("$@")
  [ $# -gt 0 ] || parts=("${known[@]}")
  for part in "${parts[@]}"; do
    [[ " ${known[*]} " == *" $part "* ]] || { echo "$script: no part is called $part; there are ${known[*]}" >&2; exit 2; }
  done
}
wanted() { [[ " ${parts[*]} " == *" $1 "* ]]; }
