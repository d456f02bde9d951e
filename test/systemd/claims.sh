# What the scripts of this lane share: each line of theirs is a claim, and ends them where it is not so.

claim() { echo "$(id -un): $*"; }

# says TEXT COMMAND...: within ten seconds its output has TEXT.
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

# refused TEXT COMMAND...: it fails, and says TEXT.
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

# json FIELD: of the document on standard input.
json() { node -p "JSON.parse(require('fs').readFileSync(0, 'utf8'))$1"; }
