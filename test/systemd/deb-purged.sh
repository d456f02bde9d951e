# Runs as root. Purges the .deb while both services are running.
. /srv/lane/claims.sh
processes() { ls -l /proc/[0-9]*/exe 2>/dev/null | grep -c /usr/lib/holdfast/ || :; }

test "$(processes)" -ge 2
# Only one user has enabled the unit, so only this user has a store.
test "$(ls -d /home/*/.local/share/holdfast | wc -l)" = 1
apt-get -qq -o Dpkg::Use-Pty=0 purge --yes holdfast >purged.txt
test "$(processes)" = 0
says 'could not be found' systemctl status holdfast-store.service
claim a purge stops the services of all users

grep -q '^  /var/lib/holdfast: ' purged.txt
test -d /var/lib/holdfast/data
test -e /etc/holdfast/keys/ann.json
test -d /home/ann/.local/state/holdfast
test ! -e /var/cache/holdfast
id holdfast >/dev/null
claim a purge keeps and names the store, the keys and the files of users
