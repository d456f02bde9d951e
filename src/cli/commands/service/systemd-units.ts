/** The units of systemd, as texts: the daemon of one person, and the store of the whole machine. */

import { CommandError } from '../../output/command-error.ts';
import { V8_FLAGS } from '../../v8-flags.ts';
import type { Program } from './program-place.ts';

export const USER_UNIT = 'holdfast.service';
export const STORE_UNIT = 'holdfast-store.service';
/** Whom the store of the whole machine belongs to. */
export const STORE_USER = 'holdfast';
export const STORE_HOME = '/var/lib/holdfast';
/** Not the usual one: each person of the machine may have a daemon, too, with a store at that. */
export const STORE_PORT = 9020;

/** By which a file is known as ours, and may be written again. */
export const MADE_BY = '# Made by `holdfast service install`, which writes it again.';

/** A key comes several times where its value is a list. */
type Section = readonly (readonly [key: string, value: string])[];

/** What both have. A daemon that opens a large store, or brings it to a newer format, takes its time. */
const LIFE: Section = [
  ['Type', 'notify'],
  ['NotifyAccess', 'main'],
  // The daemon's event loop says that it lives; one that hangs so long is killed, and started again.
  ['WatchdogSec', '60'],
  ['TimeoutStartSec', '10min'],
  ['TimeoutStopSec', '30'],
  // Not always: `holdfast down` is to be heeded.
  ['Restart', 'on-failure'],
  ['RestartSec', '5'],
  ['KillMode', 'mixed'],
  ['UMask', '0077'],
  ['SyslogIdentifier', 'holdfast'],
];

const MODEST: Section = [
  ['LimitNOFILE', '65536'],
  ['TasksMax', '512'],
  ['MemoryHigh', '2G'],
  ['MemoryMax', '4G'],
  ['CPUWeight', '50'],
  ['IOWeight', '50'],
  ['OOMScoreAdjust', '200'],
];

/** What a user manager can do without rights: system calls are filtered, folders cannot be hidden. */
const FENCE: Section = [
  ['NoNewPrivileges', 'yes'],
  ['LockPersonality', 'yes'],
  ['RestrictNamespaces', 'yes'],
  ['RestrictRealtime', 'yes'],
  ['SystemCallArchitectures', 'native'],
  ['SystemCallErrorNumber', 'EPERM'],
];

/** The store needs its folder, its ports on loopback, and nothing else. V8 compiles, so memory stays writable and executable. */
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
  /** What `--home` names; absent for the usual folders. */
  readonly home?: string;
  /** Where these lead elsewhere for the person, they have to for the service. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The daemon reads what the person's jobs name, and writes what they restore: anywhere. So nothing of the disk is hidden
 * from it or read-only, and its sandbox is one of system calls.
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
      // Names of hosts are looked up by netlink, too.
      ['RestrictAddressFamilies', 'AF_UNIX AF_INET AF_INET6 AF_NETLINK'],
    ],
    Install: [['WantedBy', 'default.target']],
  });
}

/** `$XDG_RUNTIME_DIR/holdfast`, where the control socket is. */
const RUNTIME_FOLDER: Section = [
  ['RuntimeDirectory', 'holdfast'],
  ['RuntimeDirectoryMode', '0700'],
];

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
    ['ExecStart', commandLine(program, [...place, ...verb.split(' ')], V8_FLAGS)],
    // Waits for the daemon, and fails where it refuses; small systems have no /bin/kill.
    ['ExecReload', commandLine(program, [...place, 'config', 'reload'])],
  ];
}

/** For systemd-sysusers. */
export function storeUserText(): string {
  return `${MADE_BY}\nu ${STORE_USER} - "Holdfast object store" ${STORE_HOME}\n`;
}

/** For systemd-tmpfiles: what is there stays as it is. */
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
  return [`${MADE_BY}\n# Yours go into a drop-in: systemctl edit\n`, ...texts].join('\n');
}

/** Of ExecStart, which expands variables in all words but the first, and takes no quotes in that. */
function commandLine(
  { node, script }: Program,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): string {
  if (/['"\\]/.test(node)) {
    throw new CommandError(
      'NotInstalled',
      `write unit: systemd runs no program whose path has quotes or backslashes: ${node}`,
      'install Node elsewhere',
    );
  }
  const rest = [...nodeOptions, script, ...args].map((each) => word(each).replaceAll('$', '$$$$'));
  return [word(node), ...rest].join(' ');
}

/** One word of a unit (systemd.syntax(7)): percent signs are specifiers. */
function word(text: string): string {
  if (/\p{Cc}/u.test(text)) {
    throw new CommandError(
      'FileNotUsable',
      `write unit: ${JSON.stringify(text)} has control characters`,
    );
  }
  const escaped = text.replaceAll('%', '%%');
  if (/^[\w@%+=:,./$-]+$/.test(text)) return escaped;
  return `"${escaped.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
