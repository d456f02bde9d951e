# Run by a user: one daemon with store and jobs, as a service of the user's systemd.
. /srv/lane/claims.sh
status() { holdfast service status --json; }
pid() { status | json .pid; }

mkdir -p notes && echo 'buy milk' >notes/todo.txt
dropin=.config/systemd/user/holdfast.service.d
mkdir -p $dropin
# Much shorter times than in real use, set in a drop-in of the unit.
printf '[Service]\nWatchdogSec=2\nTimeoutAbortSec=1\nRestartSec=0\n' >$dropin/hasty.conf

printf '%s\n' "$HOME/notes" local '' governance 30 y y | holdfast init --json >init.json
test "$(json .service.service <init.json)" = holdfast.service
says '"running": true' status
says control.sock ls "$XDG_RUNTIME_DIR/holdfast"
claim init sets it up as a service, by one document of JSON, with its socket in the runtime folder

says 'in sync' holdfast status
# Before the first restore test of a job, its protection is unknown, and doctor exits with 3.
holdfast drill notes
holdfast doctor >doctor.txt || { cat doctor.txt; exit 1; }
claim doctor finds nothing to mend

first=$(pid)
kill -STOP "$first"
says '"restarts": 1' status
says '"running": true' status
test "$(pid)" != "$first"
claim one that hangs is killed by the watchdog and started again

kill -KILL "$(pid)"
says '"restarts": 2' status
says '"running": true' status
claim one that was killed is started again

systemctl --user reload holdfast
cp .config/holdfast/config.yaml sound.yaml
echo 'storage: 7' >.config/holdfast/config.yaml
refused 'failed' systemctl --user reload holdfast
cp sound.yaml .config/holdfast/config.yaml
says 'storage' holdfast service logs
kill -HUP "$(pid)"
says 'read config.yaml again' holdfast log
claim a reload is done when systemctl returns, and one that is refused fails, with its reason in the logs

holdfast restore notes --to back >/dev/null
test "$(cat back/todo.txt)" = 'buy milk'
claim it mirrors and restores inside its sandbox

holdfast down
says '"running": false' status
claim holdfast down stops it for good
holdfast service start
says '"running": true' status
holdfast service restart
holdfast service stop
says '"running": false' status
holdfast service install
says '"running": true' status
systemd-analyze --user security holdfast.service --no-pager | tail -n 1
holdfast service uninstall
says 'not installed' holdfast service status
test -d .local/share/holdfast/store
claim start, stop, restart, install again and uninstall do what they say, and the store stays
rm -r .local/share/holdfast .local/state/holdfast .config/holdfast
