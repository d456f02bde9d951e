# Runs as a user. One daemon with a store and jobs is a service of the user's systemd.
. /srv/lane/claims.sh
status() { holdfast service status --json; }
pid() { status | json .pid; }

mkdir -p notes && echo 'buy milk' >notes/todo.txt
dropin=.config/systemd/user/holdfast.service.d
mkdir -p $dropin
# A drop-in of the unit sets much shorter times than in normal use.
printf '[Service]\nWatchdogSec=2\nTimeoutAbortSec=1\nRestartSec=0\n' >$dropin/hasty.conf

printf '%s\n' "$HOME/notes" local '' governance 30 y y | holdfast init --json >init.json
test "$(json .service.service <init.json)" = holdfast.service
says '"running":true' status
says control.sock ls "$XDG_RUNTIME_DIR/holdfast"
claim init installs a service, prints one JSON document and creates the socket in the runtime folder

says 'in sync' holdfast status
# Before the first restore test, the protection of a job is unknown, and doctor would exit with code
# 3.
holdfast test notes
holdfast doctor >doctor.txt || { cat doctor.txt; exit 1; }
claim doctor finds no problem after the first restore test

first=$(pid)
kill -STOP "$first"
says '"restarts":1' status
says '"running":true' status
test "$(pid)" != "$first"
claim the watchdog kills a daemon that hangs, and systemd restarts it

kill -KILL "$(pid)"
says '"restarts":2' status
says '"running":true' status
claim systemd restarts a daemon that was killed

systemctl --user reload holdfast
cp .config/holdfast/config.yaml sound.yaml
echo 'storage: 7' >.config/holdfast/config.yaml
refused 'failed' systemctl --user reload holdfast
cp sound.yaml .config/holdfast/config.yaml
says 'storage' holdfast service logs
kill -HUP "$(pid)"
says 'reloaded config.yaml' holdfast log
claim systemctl reload succeeds, and fails for an invalid configuration with the reason in the logs

holdfast restore notes --to back >/dev/null
test "$(cat back/todo.txt)" = 'buy milk'
claim the sandboxed service mirrors and restores a folder

holdfast down
says '"running":false' status
claim holdfast down stops the service
holdfast service start
says '"running":true' status
holdfast service restart
holdfast service stop
says '"running":false' status
holdfast service install
says '"running":true' status
systemd-analyze --user security holdfast.service --no-pager | tail -n 1
holdfast service uninstall
says 'not installed' holdfast service status
test -d .local/share/holdfast/store
claim holdfast service start, restart, stop, install and uninstall work, and uninstall keeps the store
rm -r .local/share/holdfast .local/state/holdfast .config/holdfast
