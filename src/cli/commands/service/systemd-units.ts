/** Formats the systemd units: the user unit of the daemon, and the system unit of the machine's store. */

import { CommandError } from '../../output/command-error.ts';
import { DAEMON_ASSIGNMENTS, V8_FLAGS } from '../../node-options.ts';
import type { Program } from './program-place.ts';

export const USER_UNIT = 'holdfast.service';
export const STORE_UNIT = 'holdfast-store.service';
/** The system user that owns the machine's store. */
export const STORE_USER = 'holdfast';
export const STORE_HOME = '/var/lib/holdfast';
/**
 * The port of the machine's store. It is not the default port, because users of the machine may run daemons with their
 * own stores.
 */
export const STORE_PORT = 9020;

/** The first line of each file. It marks a file that Holdfast wrote and may overwrite. */
export const MADE_BY = '# Made by `holdfast service install`, which writes it again.';

/** Returns the text of a file as a package contains it. */
export function packagedText(text: string): string {
  return text.replace(
    MADE_BY,
    '# Part of the package holdfast, which replaces it with each version.',
  );
}

/** The lines of a section. A key is repeated if its value is a list. */
type Section = readonly (readonly [key: string, value: string])[];

/**
 * How systemd starts, watches and stops both services. The start timeout is long enough to open or migrate a large
 * store.
 */
const LIFE: Section = [
  ['Type', 'notify'],
  ['NotifyAccess', 'main'],
  // The daemon's event loop reports that it is alive. If it hangs for this long, systemd kills and restarts the daemon.
  ['WatchdogSec', '60'],
  ['TimeoutStartSec', '10min'],
  ['TimeoutStopSec', '30'],
  // With `always`, `holdfast down` could not stop the daemon.
  ['Restart', 'on-failure'],
  ['RestartSec', '5'],
  ['KillMode', 'mixed'],
  ['UMask', '0077'],
  ['SyslogIdentifier', 'holdfast'],
];

/** Limits that prevent the services from using all resources of the machine. */
const MODEST: Section = [
  ['LimitNOFILE', '65536'],
  ['TasksMax', '512'],
  ['MemoryHigh', '2G'],
  ['MemoryMax', '4G'],
  ['CPUWeight', '50'],
  ['IOWeight', '50'],
  ['OOMScoreAdjust', '200'],
];

/**
 * The sandbox that a user manager can set up without privileges. It can filter system calls, but it cannot hide
 * directories.
 */
const FENCE: Section = [
  ['NoNewPrivileges', 'yes'],
  ['LockPersonality', 'yes'],
  ['RestrictNamespaces', 'yes'],
  ['RestrictRealtime', 'yes'],
  ['SystemCallArchitectures', 'native'],
  ['SystemCallErrorNumber', 'EPERM'],
];

/**
 * The sandbox of the store. The store needs only its directory and its ports on loopback. The sandbox has no
 * `MemoryDenyWriteExecute`, because V8's JIT compiler needs memory that is writable and executable.
 */
const WALL: Section = [
  ...FENCE,
  ['SystemCallFilter', '@system-service'],
  ['SystemCallFilter', '~@privileged @resources'],
  ['RestrictAddressFamilies', 'AF_UNIX AF_INET AF_INET6'],
  ['IPAddressDeny', 'any'],
  ['IPAddressAllow', 'localhost'],
  ['CapabilityBoundingSet', ''],
  ['AmbientCapabilities', ''],
  ['RestrictSUIDSGID', 'yes'],
  ['RemoveIPC', 'yes'],
  ['PrivateDevices', 'yes'],
  ['PrivateIPC', 'yes'],
  ['PrivateTmp', 'yes'],
  ['PrivateUsers', 'yes'],
  ['ProtectClock', 'yes'],
  ['ProtectControlGroups', 'yes'],
  ['ProtectHome', 'yes'],
  ['ProtectHostname', 'yes'],
  ['ProtectKernelLogs', 'yes'],
  ['ProtectKernelModules', 'yes'],
  ['ProtectKernelTunables', 'yes'],
  ['ProtectProc', 'invisible'],
  ['ProtectSystem', 'strict'],
];

export interface UserUnit {
  readonly program: Program;
  /** The value of `--home`. Absent for the default directories. */
  readonly home?: string;
  /** The user's XDG variables, so that the service uses the same directories. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Returns the user unit of the daemon. The daemon may back up any folder of the user, and may restore to any other
 * folder. So no path is hidden or read-only. The sandbox only restricts system calls and address families.
 */
export function userUnit({ program, home, environment }: UserUnit): string {
  const place = home === undefined ? [] : ['--home', home];
  return unitText({
    Unit: [
      ['Description', 'Holdfast: folders mirrored to versioned, locked buckets'],
      ['Documentation', 'man:holdfast(1)'],
      ['StartLimitIntervalSec', '10min'],
      ['StartLimitBurst', '10'],
    ],
    Service: [
      ...LIFE,
      ...commands(program, place, 'service run'),
      ...Object.entries(environment).map(
        ([name, value]) => ['Environment', word(`${name}=${value}`)] as const,
      ),
      ...(home === undefined ? RUNTIME_FOLDER : []),
      ...MODEST,
      ['Nice', '5'],
      ...FENCE,
      ['SystemCallFilter', '@system-service'],
      // The C library uses netlink to resolve host names.
      ['RestrictAddressFamilies', 'AF_UNIX AF_INET AF_INET6 AF_NETLINK'],
    ],
    Install: [['WantedBy', 'default.target']],
  });
}

/** The directory `$XDG_RUNTIME_DIR/holdfast`, which contains the control socket. */
const RUNTIME_FOLDER: Section = [
  ['RuntimeDirectory', 'holdfast'],
  ['RuntimeDirectoryMode', '0700'],
];

/** Returns the system unit of the machine's store. */
export function storeUnit(program: Program): string {
  return unitText({
    Unit: [
      ['Description', 'Holdfast: object store of this machine'],
      ['Documentation', 'man:holdfast(1)'],
      ['After', 'network.target time-sync.target'],
      ['StartLimitIntervalSec', '10min'],
      ['StartLimitBurst', '10'],
    ],
    Service: [
      ...LIFE,
      ...commands(program, ['--home', STORE_HOME], 's3 serve'),
      ['User', STORE_USER],
      ['Group', STORE_USER],
      ['StateDirectory', 'holdfast'],
      ['StateDirectoryMode', '0700'],
      ['CacheDirectory', 'holdfast'],
      ['CacheDirectoryMode', '0700'],
      ['Environment', 'XDG_CACHE_HOME=/var/cache'],
      ...MODEST,
      ...WALL,
    ],
    Install: [['WantedBy', 'multi-user.target']],
  });
}

function commands(
  program: Program,
  place: readonly string[],
  verb: 'service run' | 's3 serve',
): Section {
  return [
    ['Environment', DAEMON_ASSIGNMENTS.join(' ')],
    ['ExecStart', commandLine(program, [...place, ...verb.split(' ')], V8_FLAGS)],
    // Unlike a signal, this command waits for the daemon, and fails if the daemon rejects the configuration. Minimal
    // systems have no /bin/kill.
    ['ExecReload', commandLine(program, [...place, 'config', 'reload'])],
  ];
}

/** Returns the configuration of systemd-sysusers. It creates the user of the store. */
export function storeUserText(): string {
  return `${MADE_BY}\nu ${STORE_USER} - "Holdfast object store" ${STORE_HOME}\n`;
}

/**
 * Returns the configuration of systemd-tmpfiles. It creates the home folder of the store, and keeps an existing
 * config.yaml.
 */
export function storeFilesText(): string {
  const owned = `${STORE_USER} ${STORE_USER}`;
  return (
    `${MADE_BY}\nd ${STORE_HOME} 0700 ${owned}\n` +
    `f ${STORE_HOME}/config.yaml 0600 ${owned} - storage: {port: ${STORE_PORT}}\\n\n`
  );
}

function unitText(sections: Readonly<Record<string, Section>>): string {
  const texts = Object.entries(sections).map(
    ([name, lines]) => `[${name}]\n${lines.map(([key, value]) => `${key}=${value}\n`).join('')}`,
  );
  return [`${MADE_BY}\n# Put your own settings into a drop-in: systemctl edit\n`, ...texts].join(
    '\n',
  );
}

/**
 * Returns a command line for ExecStart and ExecReload. systemd expands variables in all words except the first, so `$`
 * is escaped in these words. Throws CommandError if the path of Node contains quotes or backslashes, because systemd
 * does not accept them in the first word.
 */
function commandLine(
  { node, script }: Program,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): string {
  if (/['"\\]/.test(node)) {
    throw new CommandError(
      'NotInstalled',
      `cannot write the unit: systemd does not run programs with quotes or backslashes in their path: ${node}`,
      'install Node in another folder',
    );
  }
  const rest = [...nodeOptions, script, ...args].map((each) => word(each).replaceAll('$', '$$$$'));
  return [word(node), ...rest].join(' ');
}

/** Quotes one word of a unit (see systemd.syntax(7)). Escapes percent signs, because they start specifiers. */
function word(text: string): string {
  if (/\p{Cc}/u.test(text)) {
    throw new CommandError(
      'FileNotUsable',
      `cannot write the unit: ${JSON.stringify(text)} has control characters`,
    );
  }
  const escaped = text.replaceAll('%', '%%');
  if (/^[\w@%+=:,./$-]+$/.test(text)) return escaped;
  return `"${escaped.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
