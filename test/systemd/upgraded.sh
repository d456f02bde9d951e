# Runs as root after an upgrade of the program. Tests the store as a system service.
. /srv/lane/claims.sh
version() { holdfast --home /var/lib/holdfast status --json | json .version; }

newer=$(holdfast --version)
test "$(version)" != "$newer"
says "and this command is $newer" holdfast --home /var/lib/holdfast doctor
holdfast service install --system --for ann
test "$(version)" = "$newer"
claim "the store runs the old version until the service is installed again, then version $newer"

holdfast service uninstall --system
says 'not installed' holdfast service status --system
test -d /var/lib/holdfast/data
id holdfast >/dev/null
holdfast service install --system
claim service uninstall keeps the data and the user of the store, and install succeeds again
