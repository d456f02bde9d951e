#!/bin/sh
# Runs a command with ROOT as its root folder, as a container does. All mounts, processes and
# namespaces end with the command, and it changes only ROOT on the computer. `run` uses the network
# of the computer. `boot` starts an init system with a separate network. The init system sees the
# empty cgroup CGROUP as the root of the cgroup tree. Both need root permissions.
# usage: container.sh run ROOT COMMAND... | boot ROOT CGROUP COMMAND...
set -eu

# Capabilities that affect the computer itself: clock, kernel modules, kernel log, memory and ports,
# and power-off.
withheld=-sys_time,-sys_module,-syslog,-sys_rawio,-sys_boot,-audit_control,-audit_read,-mac_admin,-mac_override

seal() {
  root=$1
  mount --bind "$root" "$root"
  cd "$root"
  mount -t proc proc proc
  # Kernel settings are shared with the computer, so they are mounted read-only.
  mount --bind proc/sys proc/sys
  mount -o remount,bind,ro proc/sys
  mount -t sysfs -o ro sysfs sys
  mount -t tmpfs -o mode=755 tmpfs dev
  for each in null zero full random urandom tty; do
    touch "dev/$each"
    mount --bind "/dev/$each" "dev/$each"
  done
  mkdir dev/pts dev/shm
  mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts dev/pts
  mount -t tmpfs -o mode=1777 tmpfs dev/shm
  ln -s pts/ptmx dev/ptmx
  ln -s /proc/self/fd dev/fd
  mount -t tmpfs -o mode=755 tmpfs run
  mount -t tmpfs -o mode=1777 tmpfs tmp
  pivot_root . mnt
  umount -l /mnt
  cd /
}

kind=$1
shift
case $kind in
  run)
    exec unshare --mount --pid --fork --kill-child --propagation private sh "$0" sealed "$@"
    ;;
  boot)
    echo $$ >"$2/cgroup.procs"
    exec unshare --mount --pid --uts --ipc --net --cgroup --fork --kill-child --propagation private sh "$0" booted "$@"
    ;;
  sealed)
    seal "$1"
    shift
    ;;
  booted)
    seal "$1"
    shift 2
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
    hostname container
    ;;
esac
exec setpriv "--bounding-set=$withheld" "$@"
