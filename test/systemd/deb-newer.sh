# Runs as root. Upgrades the .deb while both services are running.
. /srv/lane/claims.sh
version() { holdfast --home /var/lib/holdfast status --json | json .version; }

before=$(version)
apt-get -qq -o Dpkg::Use-Pty=0 install --yes /srv/holdfast_99.0.0_amd64.deb
test "$before" != 99.0.0
test "$(version)" = 99.0.0
claim an upgrade of the package restarts the store with the new version
