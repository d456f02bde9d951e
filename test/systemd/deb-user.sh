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
claim service install removes its copy of the unit and uses the unit of the .deb

holdfast service uninstall
says 'not installed' holdfast service status
systemctl --user enable --now holdfast.service
says 'active (running)' holdfast service status
claim the unit of the .deb counts as installed only when it is enabled, and systemctl starts it
