# Run by root after an upgrade of the program: the store as a system service.
. /srv/lane/claims.sh
version() { holdfast --home /var/lib/holdfast status --json | json .version; }

newer=$(holdfast --version)
test "$(version)" != "$newer"
says "and this command is $newer" holdfast --home /var/lib/holdfast doctor
holdfast service install --system --for ann
test "$(version)" = "$newer"
claim "the store goes on with what it has loaded until it is installed again: then it is $newer"

holdfast service uninstall --system
says 'not installed' holdfast service status --system
test -d /var/lib/holdfast/data
id holdfast >/dev/null
holdfast service install --system
claim uninstalled, it leaves store, user and keys, and takes them up again
