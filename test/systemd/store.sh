# Runs as root. Tests the store as a system service.
. /srv/lane/claims.sh
unit=holdfast-store.service
pid() { systemctl show --value --property=MainPID $unit; }

loginctl enable-linger ann
holdfast service install --system --for ann
says 'active (running)' holdfast service status --system
says 'runs the store only' sudo -u holdfast holdfast --home /var/lib/holdfast status
test "$(stat --format='%U %a' /var/lib/holdfast)" = 'holdfast 700'
test "$(stat --format='%U %a' /etc/holdfast/keys/ann.json)" = 'ann 400'
sudo -u holdfast holdfast --home /var/lib/holdfast doctor >doctor.txt || { cat doctor.txt; exit 1; }
says 'started at http' holdfast service logs --system
claim the store runs as the user holdfast, and ann has a key file

test "$(stat --format=%U "/proc/$(pid)")" = holdfast
grep -q '^CapEff:[[:space:]]*0*$' "/proc/$(pid)/status"
grep -q '^NoNewPrivs:[[:space:]]*1$' "/proc/$(pid)/status"
systemd-analyze verify --man=no $unit
exposed=$(systemd-analyze security $unit --no-pager | sed -n 's/.*exposure level for .*: \([0-9.]*\).*/\1/p')
claim "the store process has no capabilities, and its systemd-analyze exposure level is $exposed"
node -e "process.exitCode = $exposed <= 1 ? 0 : 1"

mkdir -p /etc/systemd/system/$unit.d
printf '[Service]\nWatchdogSec=2\nTimeoutAbortSec=1\nRestartSec=0\n' >/etc/systemd/system/$unit.d/hasty.conf
systemctl daemon-reload
holdfast service restart --system
first=$(pid)
kill -STOP "$first"
says 'restarted 1 times' holdfast service status --system
says 'active (running)' holdfast service status --system
rm -r /etc/systemd/system/$unit.d
systemctl daemon-reload
holdfast service restart --system
claim the watchdog kills a store that hangs, and systemd restarts it

systemctl reload $unit
holdfast service stop --system
refused 'inactive' holdfast service status --system
node -e "require('net').createServer().listen(9020, '127.0.0.1'); setTimeout(process.exit, 15000)" &
refused 'port is in use' holdfast service start --system
kill $!
systemctl reset-failed $unit
holdfast service start --system
claim holdfast service start reports why the store cannot start
