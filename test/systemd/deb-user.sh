# Runs as a user after the .deb has replaced the npm package, from which the user had installed the
# service.
. /srv/lane/claims.sh
copy=.config/systemd/user/holdfast.service

test -e $copy
holdfast service install --json >installed.json
test "$(json .files.length <installed.json)" = 0
test ! -e $copy
says /lib/systemd/user/holdfast.service systemctl --user show --property=FragmentPath holdfast.service
says '"running":true' holdfast service status --json
says 'in sync' holdfast status
claim service install replaces the copy of the unit by the unit of the package

holdfast service uninstall
says 'not installed' holdfast service status
systemctl --user enable --now holdfast.service
says 'active (running)' holdfast service status
claim the unit of the package is not installed until it is enabled, and starts by systemctl
