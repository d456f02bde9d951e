# Run by root: the store as the service of the .deb, which replaced the npm package.
. /srv/lane/claims.sh
unit=holdfast-store.service

holdfast service install --system --for ann
for copy in sysusers.d/holdfast.conf tmpfiles.d/holdfast.conf systemd/system/$unit; do
  test ! -e /etc/$copy
done
# Through the link /lib on some systems.
says "/lib/systemd/system/$unit" systemctl show --property=FragmentPath $unit
systemd-analyze verify $unit
says 'active (running)' holdfast service status --system
claim the store runs by the unit of the package, with the data of before
