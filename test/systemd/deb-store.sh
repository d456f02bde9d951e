# Runs as root. Tests the store as the service of the .deb, which has replaced the npm package.
. /srv/lane/claims.sh
unit=holdfast-store.service

holdfast service install --system --for ann
for copy in sysusers.d/holdfast.conf tmpfiles.d/holdfast.conf systemd/system/$unit; do
  test ! -e /etc/$copy
done
# On some systems, the path of the unit contains the symbolic link /lib.
says "/lib/systemd/system/$unit" systemctl show --property=FragmentPath $unit
# The machine has no `man` command. test:install checks the manual pages.
systemd-analyze verify --man=no $unit
says 'active (running)' holdfast service status --system
claim the store runs with the unit of the .deb, and keeps its earlier data
