# Functions for the test scripts. A script ends with an error at the first command that fails.

claim() { echo "$(id -un): $*"; }

# says TEXT COMMAND...: repeats the command until its output contains TEXT. Fails after ten seconds.
says() {
  expected=$1
  shift
  for _ in $(seq 100); do
    said=$("$@" 2>&1 || :)
    case $said in *"$expected"*) return 0 ;; esac
    sleep 0.1
  done
  echo "FAILED: $* did not say $expected but: $said" >&2
  exit 1
}

# refused TEXT COMMAND...: checks that the command fails and that its output contains TEXT.
refused() {
  expected=$1
  shift
  if said=$("$@" 2>&1); then
    echo "FAILED: $* was not refused: $said" >&2
    exit 1
  fi
  case $said in *"$expected"*) return 0 ;; esac
  echo "FAILED: $* did not say $expected but: $said" >&2
  exit 1
}

# json FIELD: reads the output of a command with --json from standard input and prints a field of
# the result, such as `.pid`.
json() { node -p "JSON.parse(require('fs').readFileSync(0, 'utf8')).result$1"; }
