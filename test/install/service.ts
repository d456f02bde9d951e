/**
 * The installed program as a service, under a systemd that runs: the user manager, in namespaces of its own. It starts, is
 * ready, is killed by the watchdog when it hangs, comes back, and stays down when it was told to stop.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NOBODY = 65_534;
const SESSION_WITHIN_MS = 120_000;

/** Shorter than anybody would have it, by the drop-in that the manual page names. */
const HASTY = '[Service]\nWatchdogSec=2\nTimeoutAbortSec=1\nRestartSec=0\n';

/** What is done in the session: each line is a claim, and fails it where it is not so. */
const SCRIPT = `
set -eu
cd "$HOME"
says() { expected=$1; shift; for i in $(seq 100); do said=$("$@" 2>&1 || :); case $said in *"$expected"*) return 0;; esac; sleep 0.1; done
  echo "FAILED: $* did not say $expected but: $said" >&2; exit 1; }
pid() { holdfast service status --json | sed -n 's/.*"pid": *\\([0-9]*\\).*/\\1/p'; }
claim() { echo "service: $*"; }

holdfast service install
says '"running": true' holdfast service status --json
says 'control.sock' ls "$XDG_RUNTIME_DIR/holdfast"
holdfast up notes --once >/dev/null
claim it is ready when systemctl returns, and its socket is in the runtime folder

first=$(pid); kill -STOP "$first"
says '"restarts": 1' holdfast service status --json
says '"running": true' holdfast service status --json
test "$(pid)" != "$first"
claim one that hangs is killed by the watchdog and started again

kill -KILL "$(pid)"
says '"restarts": 2' holdfast service status --json
says '"running": true' holdfast service status --json
claim one that was killed is started again

kill -HUP "$(pid)"
says 'read config.yaml again' holdfast log
holdfast restore notes --to back >/dev/null
test "$(cat back/todo.txt)" = 'buy milk'
claim it mirrors and restores inside its sandbox

holdfast down
says '"running": false' holdfast service status --json
claim holdfast down stops it for good
holdfast service start
says '"running": true' holdfast service status --json
holdfast service restart
holdfast service stop
says '"running": false' holdfast service status --json
holdfast service install
says '"running": true' holdfast service status --json
holdfast service uninstall
says 'not installed' holdfast service status
test -d .local/share/holdfast/store
claim start, stop, restart, install again and uninstall do what they say, and the store stays

# What a user manager can do of the unit of the machine's store: the filters of system calls and addresses.
units=.config/systemd/user; mkdir -p store; echo 'storage: {port: 0}' >store/config.yaml
holdfast service install --system --print | sed -n '/^\\[Unit\\]/,$p' |
  grep -vE '^(User|Group|Protect|Private|RemoveIPC|IPAddress|CapabilityBounding|Ambient|State|Cache|Environment)' |
  sed "s|/var/lib/holdfast|$HOME/store|" >$units/apart.service
grep -q '^SystemCallFilter=~@privileged' $units/apart.service
systemctl --user daemon-reload
systemctl --user start apart.service
holdfast --home store users add ann >/dev/null
holdfast --home store mb pages >/dev/null
head -c 3000000 /dev/urandom >large; holdfast --home store put large pages/large >/dev/null
holdfast --home store get pages/large again >/dev/null; cmp large again
systemctl --user stop apart.service
claim a store alone serves under the filters of its unit
`;

export interface InstalledIn {
  /** Holds `prefix`, where the program is installed, and `bin` with Node; seen as /run/hf. */
  readonly folder: string;
}

/** Throws by name where no systemd can be run: it is no proof then. */
export function proveService({ folder }: InstalledIn): void {
  const hierarchy = cgroupHierarchy();
  const home = join(folder, 'service-home');
  const dropIn = join(home, '.config/systemd/user/holdfast.service.d');
  for (const each of [dropIn, join(home, 'notes'), join(home, '.config/holdfast')])
    mkdirSync(each, { recursive: true });
  writeFileSync(join(dropIn, 'hasty.conf'), HASTY);
  writeFileSync(join(home, 'notes/todo.txt'), 'buy milk\n');
  writeFileSync(join(home, '.config/holdfast/config.yaml'), 'storage:\n  port: 0\n');
  writeFileSync(join(folder, 'script.sh'), SCRIPT);
  execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, home]);
  execFileSync('chmod', ['755', folder]);
  const cgroup = join(hierarchy, `holdfast-test-${process.pid}`);
  mkdirSync(join(cgroup, 'session'), { recursive: true });
  execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, cgroup]);
  const session = [join(import.meta.dirname, 'session.sh'), folder, join(cgroup, 'session')];
  try {
    execFileSync(
      'unshare',
      [
        '--mount',
        '--pid',
        '--fork',
        '--mount-proc',
        '--kill-child',
        'sh',
        ...session,
        'sh',
        '/run/hf/script.sh',
      ],
      {
        stdio: 'inherit',
        timeout: SESSION_WITHIN_MS,
        env: { HOME: '/run/hf/service-home', PATH: '/run/hf/prefix/bin:/run/hf/bin:/usr/bin:/bin' },
      },
    );
  } finally {
    removeCgroups(cgroup);
  }
}

function cgroupHierarchy(): string {
  if (process.getuid?.() !== 0)
    throw new Error('run a systemd of a user: only root may make its namespaces');
  try {
    execFileSync('/usr/lib/systemd/systemd', ['--version'], { stdio: 'ignore' });
    const found = execFileSync('findmnt', ['-n', '-o', 'TARGET', '-t', 'cgroup2'], {
      encoding: 'utf8',
    });
    return found.trim().split('\n')[0] ?? '';
  } catch (error) {
    throw new Error('run a systemd of a user: it needs systemd and a cgroup2 hierarchy', {
      cause: error,
    });
  }
}

/** Its processes are gone with their namespace: what is left are empty folders of the kernel. */
function removeCgroups(cgroup: string): void {
  const all = execFileSync('find', [cgroup, '-depth', '-type', 'd'], { encoding: 'utf8' });
  for (const each of all.trim().split('\n')) rmdirSync(each);
}
