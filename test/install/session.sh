#!/bin/sh
# Runs a command as user nobody with a systemd of their own, the user manager, in namespaces: FOLDER is seen at /run/hf,
# and /run and /tmp are empty ones of their own, so that nothing of the machine is touched. Needs root, and a cgroup2 hierarchy.
# usage: session.sh FOLDER CGROUP COMMAND...
set -eu
folder=$1 cgroup=$2
shift 2
echo $$ >"$cgroup/cgroup.procs"
mount --make-rprivate /
mount --bind "$folder" /mnt
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/hf /run/hierarchy /run/systemd/system /run/user/65534
mount --move /mnt /run/hf
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount --rbind "$(findmnt -n -o TARGET -t cgroup2 | head -n 1)" /run/hierarchy
mount --rbind /run/hierarchy /sys/fs/cgroup
chown 65534:65534 /run/user/65534
chmod 700 /run/user/65534
export XDG_RUNTIME_DIR=/run/user/65534 SYSTEMD_LOG_TARGET=console
exec setpriv --reuid=65534 --regid=65534 --clear-groups sh -c '
  /usr/lib/systemd/systemd --user --unit=basic.target 2>"$HOME/systemd.log" &
  until systemctl --user list-units >/dev/null 2>&1; do sleep 0.1; done
  "$@" && code=0 || code=$?
  systemctl --user exit
  wait
  exit $code' sh "$@"
