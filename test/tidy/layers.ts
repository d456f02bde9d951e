/**
 * The layers of the architecture: what each layer may import, and why. Also finds imports that
 * break these rules.
 */

import { join } from 'node:path/posix';

import { importsOf } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import { TUI_LAYERS } from './tui-layers.ts';

interface Layer {
  /**
   * Folders or single files of the project that the layer may import. A layer may always import its
   * own files.
   */
  readonly ours: readonly string[];
  /** Files in the folders of `ours` that the layer may not import. */
  readonly except?: readonly string[];
  /** Node modules that the layer may import. The value `any` means all Node modules. */
  readonly node: readonly string[] | 'any';
  readonly reason: string;
}

const CRYPTO = ['node:crypto'];

const BELOW_TRANSFER = [
  'model',
  'plan',
  'local',
  'state',
  'objects',
  'capabilities',
  'guard',
  'limits',
] as const;

const BELOW_ROUNDS = [...BELOW_TRANSFER, 'ownership', 'transfer', 'conflicts'] as const;

/** Folders that src/retention, src/restore and src/verification may import. */
const BESIDE_ROUNDS = [
  'src/base',
  'src/object-store',
  ...['model', 'local', 'state', 'objects', 'transfer'].map((folder) => `src/mirror/${folder}`),
];

/**
 * Creates the layers for the folders of a module. Each layer may also import `src/base` and
 * `src/object-store`. A path that does not begin with `src/` is relative to the module.
 */
function inModule(module: string, rows: Readonly<Record<string, Layer>>): Record<string, Layer> {
  return Object.fromEntries(
    Object.entries(rows).map(([folder, { ours, ...row }]) => [
      `${module}/${folder}`,
      {
        ...row,
        ours: [
          'src/base',
          'src/object-store',
          ...ours.map((each) => (each.startsWith('src/') ? each : `${module}/${each}`)),
        ],
      },
    ]),
  );
}

/** Modules that the composition root of the daemon connects. */
const DAEMON_USES = [
  'src/base',
  'src/object-store',
  'src/protocol',
  'src/client',
  'src/identity',
  'src/cluster',
  'src/engine',
  'src/http',
  'src/gateway',
  'src/mirror',
  'src/retention',
  'src/restore',
  'src/verification',
  'src/monitoring',
  'src/text',
  'src/control',
  'src/config',
];

/** Folders of the daemon that the request handlers may import. */
const BELOW_HANDLERS = [
  'log',
  'state',
  'control',
  'meter',
  'metrics',
  'services',
  'jobs',
  'settings',
  'restores',
  'alerts',
  'usage',
].map((folder) => `daemon/${folder}`);

/**
 * Creates the layers for the folders of the daemon. Each layer may also import `src/base` and all
 * Node modules.
 */
function inDaemon(rows: Readonly<Record<string, Omit<Layer, 'node'>>>): Record<string, Layer> {
  return Object.fromEntries(
    Object.entries(rows).map(([folder, { ours, ...row }]) => [
      `daemon/${folder}`,
      { ...row, ours: ['src/base', ...ours], node: 'any' },
    ]),
  );
}

export const LAYERS: Readonly<Record<string, Layer>> = {
  'src/base': {
    ours: [],
    node: ['node:net'],
    reason:
      'src/base has no dependencies, and every module may import it (net for BlockList, which does no I/O)',
  },
  'src/object-store': {
    ours: ['src/base'],
    node: [...CRYPTO, 'node:zlib'],
    reason: 'the port and its rules are pure and the same for every store (zlib only for crc32)',
  },
  'src/protocol': {
    ours: ['src/base', 'src/object-store'],
    node: [...CRYPTO, 'node:stream', 'node:module'],
    reason:
      'encoding and decoding are pure, and client and gateway share them (module for a parser that is loaded late)',
  },
  'src/client': {
    ours: ['src/base', 'src/object-store', 'src/protocol'],
    node: 'any',
    reason: 'the client works with any service, so it must not depend on the engine',
  },
  'src/identity': {
    ours: ['src/base'],
    node: 'any',
    reason: 'the gateways of S3 and of clusters both use the identity database',
  },
  ...inModule('src/engine', {
    disk: {
      ours: [],
      node: 'any',
      reason: "the store's folder, its lock, and the errors that all other folders share",
    },
    clock: { ours: [], node: 'any', reason: 'the trusted time does not depend on database tables' },
    'schema/migrations': { ours: [], node: [], reason: 'a released migration never changes' },
    schema: {
      ours: ['disk'],
      node: 'any',
      reason: 'reads and writes share only the database tables and their rows',
    },
    checksums: {
      ours: [],
      node: 'any',
      reason: 'checksums of bytes, independent of where they are stored',
    },
    encryption: {
      ours: ['checksums'],
      node: 'any',
      reason: 'this layer encrypts bytes, not files',
    },
    integrity: {
      ours: ['schema', 'checksums', 'encryption'],
      node: 'any',
      reason: 'write commands, maintenance and salvage check the same rules between tables',
    },
    blobs: {
      ours: ['disk', 'checksums', 'encryption'],
      node: 'any',
      reason: 'blob files do not depend on database tables',
    },
    access: {
      ours: ['schema'],
      node: [],
      reason: 'the main thread and the writer thread both check permissions with database rows',
    },
    reads: {
      ours: ['disk', 'schema', 'encryption', 'checksums', 'blobs', 'access'],
      node: 'any',
      reason: 'reads run on the main thread and do not depend on write commands',
    },
    'writes/tables': {
      ours: ['disk', 'clock', 'schema', 'checksums', 'integrity', 'blobs'],
      node: 'any',
      reason: 'write commands consist of the SQL statements of this layer',
    },
    'writes/commands': {
      ours: [
        'disk',
        'clock',
        'schema',
        'checksums',
        'integrity',
        'blobs',
        'access',
        'writes/tables',
      ],
      node: 'any',
      reason: 'a write command runs inside the transaction of its group',
    },
    writes: {
      ours: ['disk', 'clock', 'schema', 'access'],
      node: 'any',
      reason: 'the writer thread commits write commands in groups',
    },
    'maintenance/salvage': {
      ours: ['disk', 'schema', 'checksums', 'encryption', 'integrity'],
      node: 'any',
      reason: 'salvage reads a database that SQLite cannot read, without other threads',
    },
    maintenance: {
      ours: ['disk', 'clock', 'schema', 'checksums', 'integrity', 'blobs', 'writes'],
      node: 'any',
      reason: 'maintenance checks and repairs the store independently of callers',
    },
    lifecycle: {
      ours: ['disk', 'clock', 'schema', 'writes', 'maintenance'],
      node: 'any',
      reason: 'lifecycle runs are independent of callers and share the rate limit of maintenance',
    },
    roles: {
      ours: [
        'disk',
        'clock',
        'schema',
        'encryption',
        'checksums',
        'blobs',
        'access',
        'reads',
        'writes',
      ],
      node: 'any',
      reason: 'the store of one caller starts nothing and does not depend on maintenance',
    },
  }),
  'src/engine': {
    ours: ['src/base', 'src/object-store'],
    node: 'any',
    reason: 'the engine does not depend on HTTP, which the gateway adds',
  },
  'src/http': {
    ours: ['src/base', 'src/object-store', 'src/protocol'],
    node: 'any',
    reason: 'listening, limiting clients and writing responses do not depend on operations',
  },
  'src/gateway': {
    ours: ['src/base', 'src/object-store', 'src/protocol', 'src/identity/identity.ts', 'src/http'],
    node: 'any',
    reason: 'the gateway receives an ObjectStore and does not depend on its implementation',
  },
  ...inModule('src/mirror', {
    model: {
      ours: ['src/text/amounts.ts'],
      node: [],
      reason: 'all other layers use these types and pure functions',
    },
    plan: {
      ours: ['model'],
      except: ['src/base/clock.ts'],
      node: [],
      reason: 'the planner is a pure function: it uses no disk, database or clock',
    },
    'local/patterns': {
      ours: ['model'],
      node: [],
      reason: 'exclude patterns are matched with strings, without files',
    },
    'local/tree': {
      ours: ['model', 'local'],
      node: 'any',
      reason: 'this layer watches and lists the folder, and src/mirror/local reads single entries',
    },
    local: {
      ours: ['model'],
      node: 'any',
      reason: 'this layer depends on files, not on state or objects',
    },
    state: {
      ours: ['model'],
      node: 'any',
      reason: 'the state depends on SQLite, not on files or objects',
    },
    objects: {
      ours: ['model', 'local', 'state'],
      node: 'any',
      reason:
        'this layer defines how a file is stored as an object: destination, metadata, versions and locks',
    },
    capabilities: {
      ours: ['model', 'state', 'objects'],
      node: 'any',
      reason: 'a capability probe of a service needs no file',
    },
    guard: {
      ours: ['src/text', 'model', 'plan', 'local', 'state', 'objects'],
      node: 'any',
      reason: 'transfers use the guard, so the guard does not depend on transfers',
    },
    limits: {
      ours: ['src/text', 'model', 'local', 'state', 'objects'],
      node: 'any',
      reason:
        'transfers wait for the run conditions and rate limits, which do not depend on transfers',
    },
    ownership: {
      ours: ['model', 'local', 'state', 'objects', 'capabilities'],
      node: 'any',
      reason: 'a job owns its destination before any transfer starts',
    },
    transfer: {
      ours: ['src/text/amounts.ts', ...BELOW_TRANSFER],
      node: 'any',
      reason: 'a transfer performs one action, independently of sync rounds',
    },
    conflicts: {
      ours: ['model', 'plan', 'local', 'state', 'objects', 'transfer'],
      node: 'any',
      reason: 'sync rounds settle conflicts',
    },
    rounds: {
      ours: [...BELOW_ROUNDS],
      node: 'any',
      reason:
        'a sync round plans and transfers changes, independently of the start and stop of the job',
    },
  }),
  'src/mirror': {
    ours: ['src/base', 'src/object-store', 'src/retention', 'src/restore', 'src/verification'],
    node: 'any',
    reason: 'a job does not distinguish a local store from a remote one',
  },
  'src/retention': {
    ours: [...BESIDE_ROUNDS, 'src/text/amounts.ts', 'src/mirror/guard'],
    node: 'any',
    reason:
      'locks are renewed and versions pruned outside of sync rounds (versions not during an attack)',
  },
  'src/restore': {
    ours: [...BESIDE_ROUNDS, 'src/text'],
    node: 'any',
    reason: 'a restore works without a job',
  },
  'src/verification': {
    ours: [...BESIDE_ROUNDS, 'src/restore', 'src/retention'],
    node: 'any',
    reason: 'the bucket is verified outside of sync rounds, also by restores',
  },
  'src/monitoring': {
    ours: ['src/base', 'src/config/find-program.ts'],
    node: 'any',
    reason:
      'monitoring evaluates numbers independently of their source, and starts programs by name',
  },
  'src/cluster': {
    ours: [
      'src/base',
      'src/identity/identity.ts',
      'src/protocol',
      'src/object-store/rules/strict-json.ts',
      'src/object-store/storage-error.ts',
      'src/object-store/transport-error.ts',
      'src/client/exchange.ts',
      'src/client/limits.ts',
      'src/client/proxy.ts',
      'src/client/transport.ts',
      'src/http',
    ],
    node: 'any',
    reason: 'the cluster service shares only signing, sending and listening with storage',
  },
  'src/text': {
    ours: ['src/base/durations.ts'],
    node: [],
    reason: 'all input and output uses the same format of amounts and times',
  },
  'src/control': {
    ours: ['src/base', 'src/text/amounts.ts', 'src/cluster/rules/shapes.ts'],
    node: 'any',
    reason:
      'tui and cli depend on the daemon only through this module, which declares each request once',
  },
  'src/config': {
    ours: ['src/base', 'src/text'],
    node: 'any',
    reason: 'the daemon and the cli both read the configuration',
  },
  'src/cli/output': {
    ours: [
      'src/base',
      'src/text',
      'src/control',
      'src/config',
      'src/cli/context.ts',
      'src/cli/declare.ts',
    ],
    node: 'any',
    reason:
      'every command writes its output with this layer, so the layer does not depend on commands',
  },
  'src/cli/arguments': {
    ours: [
      'src/base',
      'src/text',
      'src/control',
      'src/config',
      'src/mirror/local/held-folder.ts',
      'src/cli/context.ts',
      'src/cli/output',
    ],
    node: 'any',
    reason:
      'every command parses its arguments with this layer, so the layer does not depend on commands',
  },
  'src/cli': {
    ours: ['src/base', 'src/text', 'src/control', 'src/config', 'src/mirror/local/held-folder.ts'],
    node: 'any',
    reason:
      'the cli uses the daemon only through src/control (and writes files below an open folder)',
  },
  ...TUI_LAYERS,
  tui: {
    ours: ['src/base', 'src/text', 'src/control'],
    node: 'any',
    reason: 'the dashboard depends only on the control protocol',
  },
  ...inDaemon({
    log: {
      ours: ['src/config'],
      reason: 'every part of the daemon may write to the log',
    },
    state: {
      ours: [
        'src/cluster',
        'src/config',
        'src/control',
        'src/engine',
        'src/identity',
        'src/mirror',
        'src/monitoring',
      ],
      reason: 'this layer defines the files of the home and their formats',
    },
    control: {
      ours: [
        'src/cluster',
        'src/config',
        'src/control',
        'src/engine',
        'src/identity',
        'src/mirror',
        'src/monitoring',
        'src/object-store',
      ],
      reason: 'the server of the control protocol receives its handlers and imports none',
    },
    meter: {
      ours: ['src/control', 'src/mirror', 'src/object-store', 'daemon/control'],
      reason: 'the meter counts the transfers of a store and does not depend on jobs',
    },
    metrics: {
      ours: [
        'src/config',
        'src/control',
        'src/engine',
        'src/http',
        'src/monitoring',
        'daemon/version.ts',
      ],
      reason: 'this layer only formats the numbers that it receives',
    },
    services: {
      ours: [...DAEMON_USES, 'daemon/log', 'daemon/metrics'],
      reason: 'jobs and handlers share these services, which daemon/compose opens',
    },
    jobs: {
      ours: [
        'src/config',
        'src/control',
        'src/mirror',
        'src/object-store',
        'src/text',
        'daemon/meter',
        'daemon/services',
      ],
      reason: 'running jobs do not depend on the source of their configuration',
    },
    settings: {
      ours: [
        'src/config',
        'src/control',
        'src/mirror',
        'src/object-store',
        'src/text',
        'daemon/control',
        'daemon/jobs',
        'daemon/services',
      ],
      reason: 'this layer applies changes of config.yaml to jobs',
    },
    restores: {
      ours: [
        'src/control',
        'src/mirror',
        'src/object-store',
        'src/restore',
        'daemon/control',
        'daemon/jobs',
        'daemon/state',
      ],
      reason: 'running restores report events',
    },
    usage: {
      ours: ['src/object-store'],
      reason: 'this layer counts the objects of a store, independently of jobs and requests',
    },
    alerts: {
      ours: ['src/config', 'src/control', 'src/monitoring', 'src/text', 'daemon/jobs'],
      reason: 'alerts read the status of jobs and change nothing',
    },
    'handlers/identity': {
      ours: ['src/control', 'src/identity'],
      reason: 'these handlers also run without a daemon, on the identity database alone',
    },
    'handlers/store': {
      ours: [...DAEMON_USES, ...BELOW_HANDLERS, 'daemon/handlers/identity', 'daemon/version.ts'],
      reason: 'these handlers use the embedded store and the daemon itself',
    },
    'handlers/buckets': {
      ours: [
        ...DAEMON_USES,
        'daemon/control',
        'daemon/services',
        'daemon/settings',
        'daemon/usage',
      ],
      reason: 'these handlers use buckets and objects of any store, independently of jobs',
    },
    'handlers/jobs': {
      ours: [...DAEMON_USES, ...BELOW_HANDLERS],
      reason: 'these handlers use jobs, targets and restores',
    },
    compose: {
      ours: [...DAEMON_USES, ...BELOW_HANDLERS, 'daemon/handlers', 'daemon/version.ts'],
      reason: 'only this layer constructs the parts of the daemon',
    },
    doctor: {
      ours: [
        'src/client',
        'src/config',
        'src/mirror',
        'src/object-store',
        'src/retention',
        'daemon/compose',
        'daemon/services',
      ],
      reason: 'holdfast doctor examines services from the process of the command',
    },
    offline: {
      ours: [
        ...DAEMON_USES,
        ...BELOW_HANDLERS,
        'daemon/handlers',
        'daemon/compose',
        'daemon/version.ts',
      ],
      reason: 'commands use this layer in their own process while no daemon runs',
    },
  }),
  daemon: {
    ours: DAEMON_USES,
    node: 'any',
    reason: 'this layer connects the modules of the daemon',
  },
};

/** Node modules that a layer may not import, although it may import Node modules in general. */
const FORBIDDEN_NODE: Readonly<Record<string, readonly string[]>> = {
  'src/engine': ['node:http', 'node:https', 'node:http2', 'node:net'],
  'src/gateway': ['node:fs', 'node:fs/promises'],
  'src/http': ['node:fs', 'node:fs/promises'],
};

/** Folders that may import each npm package. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': [
    'daemon',
    'src/base',
    'src/cluster',
    'src/engine',
    'src/identity',
    'src/mirror/state',
    'src/monitoring',
    'src/restore',
  ],
  chokidar: ['src/mirror/local/tree'],
  commander: ['src/cli'],
  croner: ['src/config', 'src/mirror/limits'],
  diff: ['src/cli', 'src/text'],
  'fast-xml-parser': ['src/protocol'],
  'highlight.js': ['tui/syntax'],
  ink: ['tui'],
  koffi: ['src/cli', 'src/mirror/local', 'src/restore'],
  mrmime: ['src/base'],
  'p-queue': ['src/base', 'src/mirror/guard', 'src/mirror/rounds', 'src/restore', 'src/retention'],
  pino: ['daemon'],
  'prom-client': ['daemon'],
  react: ['tui'],
  'string-width': ['tui/text'],
  undici: ['src/client', 'src/monitoring'],
  'vscode-jsonrpc': ['src/control', 'daemon'],
  yaml: ['src/cli', 'src/config'],
  zod: ['src/cluster', 'src/config', 'src/control', 'daemon'],
};

/**
 * Files that may import a module of a forbidden folder. Each file may import only this one module,
 * and only dynamically.
 */
const LOADERS: Readonly<Record<string, string>> = {
  'src/cli/commands/daemon/up.ts': 'daemon/main.ts',
  'src/cli/commands/daemon/daemon.ts': 'daemon/main.ts',
  'src/cli/report-failure.ts': 'daemon/log/source-places.ts',
  'src/cli/main.ts': 'daemon/main.ts',
  'src/cli/commands/admin/call-identity.ts': 'daemon/offline/offline-identity.ts',
  'src/cli/commands/admin/store.ts': 'daemon/offline/offline-store.ts',
  'src/cli/commands/restore/offline-restore.ts': 'daemon/offline/offline-restore.ts',
  'src/cli/commands/daemon/offline-status.ts': 'daemon/offline/offline-status.ts',
  'src/cli/commands/daemon/dashboard.ts': 'tui/main.ts',
  'src/cli/commands/restore/restore-from.ts': 'daemon/offline/restore-from.ts',
  'src/cli/commands/doctor/doctor.ts': 'daemon/doctor/examine-services.ts',
  'src/cli/commands/doctor/examine-formats.ts': 'daemon/state/state-formats.ts',
  'src/cli/commands/target/call-targets.ts': 'daemon/offline/offline-targets.ts',
  'src/cli/commands/target/test-target.ts': 'daemon/doctor/examine-services.ts',
  'src/cli/commands/init/check-plan.ts': 'daemon/doctor/examine-services.ts',
  'src/cli/commands/init/preview.ts': 'daemon/offline/preview-folder.ts',
  'src/cli/commands/daemon/first-backup.ts': 'daemon/offline/preview-folder.ts',
  'src/cli/commands/admin/backup-state.ts': 'daemon/offline/backup-state.ts',
  'src/cli/commands/admin/restore-state.ts': 'daemon/offline/restore-state.ts',
};

const within = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}/`);

/** Returns one line per forbidden import, with the file, the import and the reason. */
export function layerViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const [name, layer] =
      Object.entries(LAYERS).find(([folder]) => within(file.path, folder)) ?? [];
    if (!name || !layer) return [`${file.path}: belongs to no layer`];
    return importsOf(file.text).flatMap((each) => {
      const why = forbidden(file.path, name, layer, each.from, each.dynamic);
      return why ? [`${file.path}: ${each.from}: ${why}`] : [];
    });
  });
}

function forbidden(
  path: string,
  name: string,
  layer: Layer,
  from: string,
  dynamic: boolean,
): string | undefined {
  if (from.startsWith('node:')) {
    const allowed = layer.node === 'any' || layer.node.includes(from);
    return allowed && !FORBIDDEN_NODE[name]?.includes(from) ? undefined : layer.reason;
  }
  if (!from.startsWith('.')) return forbiddenPackage(name, from);
  const target = join(path, '..', from);
  if (target === 'package.json') return undefined;
  if (dynamic && LOADERS[path] === target) return undefined;
  if (layer.except?.includes(target)) return layer.reason;
  return [name, ...layer.ours].some((place) => within(target, place)) ? undefined : layer.reason;
}

function forbiddenPackage(name: string, from: string): string | undefined {
  const parts = from.split('/');
  const packageName = from.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? from);
  const homes = PACKAGES[packageName];
  if (!homes)
    return 'package that no layer may import yet: add the package to PACKAGES in test/tidy/layers.ts';
  return homes.some((home) => within(name, home))
    ? undefined
    : `only ${homes.join(', ')} may import this package`;
}

/** Returns one line per circular import of files. Type imports count, too. */
export function fileCircles(files: readonly SourceFile[]): string[] {
  const imports = new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text).map(({ from }) => join(path, '..', from)),
    ]),
  );
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]) => {
    const start = way.indexOf(path);
    if (start >= 0) circles.push([...way.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const next of imports.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return circles;
}
