/** Controls systemd's user manager or system manager with systemctl. */

import { defined } from '../../../base/defined.ts';
import type { Command, Manager, ServiceFile, ServiceState } from './manager.ts';

export interface SystemdOptions {
  readonly unit: string;
  readonly scope: 'user' | 'system';
  readonly files: readonly ServiceFile[];
  /** Commands to run before the unit is enabled and started. */
  readonly prepare?: readonly Command[];
}

const PROPERTIES = [
  'LoadState',
  'ActiveState',
  'SubState',
  'UnitFileState',
  'MainPID',
  'NRestarts',
  'FragmentPath',
];

/** Matches the path of a unit from a package. `/lib` is a link to `/usr/lib` on most systems. */
const PACKAGED = /^(?:\/usr)?\/lib\//;

const UNREACHED = {
  user:
    'to run without it: holdfast service run; to reach it, log in as this user at the machine or by ssh, ' +
    'because su and sudo start no session of systemd',
  system: 'to run without it: holdfast s3 serve; this machine is not run by systemd',
};

export function systemd({ unit, scope, files, prepare = [] }: SystemdOptions): Manager {
  const scoped = scope === 'user' ? ['--user'] : [];
  const systemctl = (...args: string[]): Command => ['systemctl', ...scoped, ...args];
  const reload = systemctl('daemon-reload');
  return {
    name: unit,
    files,
    reach: systemctl('show', '--property=Version'),
    unreached: UNREACHED[scope],
    // `restart` is used instead of `start`, because the running service may be older than the
    // files.
    install: [...prepare, reload, systemctl('enable', unit), systemctl('restart', unit)],
    beforeRemoval: [systemctl('disable', '--now', unit)],
    afterRemoval: [reload],
    start: systemctl('start', unit),
    stop: systemctl('stop', unit),
    restart: systemctl('restart', unit),
    status: systemctl('show', unit, `--property=${PROPERTIES.join(',')}`),
    stateOf,
    logs: ({ lines, follow }) => [
      'journalctl',
      ...(scope === 'user' ? ['--user'] : []),
      `--unit=${unit}`,
      `--lines=${lines}`,
      ...(follow ? ['--follow'] : ['--no-pager']),
    ],
  };
}

/** Parses the output of `systemctl show`. */
function stateOf(printed: string): ServiceState {
  const properties = new Map(
    printed.split('\n').map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)] as const;
    }),
  );
  const numberOf = (name: string) => Number(properties.get(name)) || undefined;
  const [active = 'unknown', sub = ''] = [
    properties.get('ActiveState'),
    properties.get('SubState'),
  ];
  const running = active === 'active';
  const enabled = properties.get('UnitFileState') === 'enabled';
  // A unit from a package counts as not installed until the user enables or starts it, because the package contains the
  // unit for all users.
  const isUnused = PACKAGED.test(properties.get('FragmentPath') ?? '') && !enabled && !running;
  return {
    installed: properties.get('LoadState') === 'loaded' && !isUnused,
    running,
    state: sub === '' || sub === active ? active : `${active} (${sub})`,
    enabled,
    ...defined({ pid: numberOf('MainPID'), restarts: numberOf('NRestarts') }),
  };
}
