/**
 * Opens an engine, a local folder and a mirror that uploads the folder to the engine, for tests of
 * the mirror.
 */

import { mkdirSync, readdirSync, readFileSync, readlinkSync, lstatSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { type Clock, systemClock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { type Engine, openEngine } from '../../src/engine/engine.ts';
import type { Machine } from '../../src/mirror/limits/machine.ts';
import type { FreeSpace } from '../../src/mirror/limits/free-space.ts';
import type { TargetTurns } from '../../src/mirror/limits/job-priority.ts';
import { takeOverDestination } from '../../src/mirror/ownership/hold-marker.ts';
import type { Mirror, MirrorStatus } from '../../src/mirror/mirror.ts';
import { openMirror } from '../../src/mirror/open-mirror.ts';
import { readProvenanceKey } from '../../src/mirror/objects/provenance-key.ts';
import { type Described, isProven } from '../../src/mirror/objects/provenance.ts';
import type { Activity } from '../../src/mirror/model/tracker.ts';
import type { MirrorJob } from '../../src/mirror/model/types.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { MirrorStore } from '../../src/object-store/mirror-store.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import { prepareState, prepareStore } from './prepared-files.ts';
import { sharedEngine, SMALL_PARTS } from './shared-engine.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface MirrorBench {
  /** Path of the temporary folder that contains the mirrored folder, the store and the state. */
  readonly home: string;
  readonly root: string;
  readonly store: ObjectStore;
  readonly bucket: string;
  /**
   * Engine that stores the bucket. All tests of a file share it, unless the test has its own store.
   * Undefined if the tests use an external service.
   */
  readonly engine?: Engine;
  readonly activities: Activity[];
  readonly statuses: MirrorStatus[];
  /** Opens the mirror of the job, and closes the mirror that was open before. */
  readonly open: (
    changes?: Partial<MirrorJob> & {
      readonly store?: MirrorStore;
      readonly hostId?: string;
      readonly keyCheck?: string;
      readonly earlierChecks?: readonly string[];
      readonly isRemote?: boolean;
      /**
       * If set, the mirror subscribes to change events of the engine. It then has its own object
       * store, which `wrap` can wrap.
       */
      readonly hears?: { readonly wrap?: (store: ObjectStore) => ObjectStore };
      readonly freeSpace?: FreeSpace;
      readonly machine?: Machine;
      readonly turns?: TargetTurns;
      readonly clock?: Clock;
      readonly onStateDamaged?: () => void;
    },
  ) => Promise<Mirror>;
  /**
   * Returns true if the signature in the object's metadata proves that this job wrote the object.
   */
  readonly isProven: (object: Described) => boolean;
  /**
   * Returns the contents of all current objects whose keys begin with the prefix, by key. The
   * content of a folder object is an empty string.
   */
  readonly heads: (prefix?: string) => Promise<Record<string, string>>;
  /** Returns the keys of all current objects in order, without reading them. */
  readonly keys: () => Promise<readonly string[]>;
  /**
   * Returns the versions of a key, oldest first. An entry is `put CONTENT`, or `marker` for a
   * delete marker.
   */
  readonly history: (key: string) => Promise<readonly string[]>;
  /** Writes an object as another client. */
  writeForeign(key: string, content: string): Promise<void>;
  /** Returns the files, symbolic links and empty folders of the mirrored folder, by path. */
  tree(): Record<string, string>;
}

export interface BenchService {
  readonly store: ObjectStore;
  readonly bucket: string;
  readonly engine?: Engine;
  readonly close?: () => Promise<void>;
}

export interface MirrorBenchOptions {
  readonly versioned?: boolean;
  /** Clock of the job and of the store. If this is not the system clock, the test has its own store. */
  readonly clock?: Clock;
  /** Whether the test has its own store, in the subfolder `store` of `home`. */
  readonly ownStore?: boolean;
  /** External service with an existing bucket. If set, it replaces the engine. */
  readonly service?: BenchService;
}

export async function openMirrorBench(options: MirrorBenchOptions = {}): Promise<MirrorBench> {
  const home = temporaryFolder('mirror');
  const root = join(home, 'root');
  mkdirSync(root);
  const { clock = systemClock } = options;
  const {
    store,
    bucket,
    engine,
    close = async () => undefined,
  } = options.service ?? (await openService(join(home, 'store'), options));
  const mirrors: Mirror[] = [];
  onTestFinished(async () => {
    for (const mirror of mirrors) await mirror.close();
    await close();
  });
  const activities: Activity[] = [];
  const statuses: MirrorStatus[] = [];
  return {
    home,
    root,
    store,
    bucket,
    ...defined({ engine }),
    activities,
    statuses,
    async open({ store: other, hostId = 'host', isRemote = false, hears, ...rest } = {}) {
      const { freeSpace, machine, turns, clock: own = clock, ...others } = rest;
      const { keyCheck, earlierChecks, onStateDamaged, ...changes } = others;
      await mirrors.pop()?.close();
      prepareState(join(home, 'state'));
      const hearing = hears && !other ? engine : undefined;
      const watched = hearing?.watched(internalCaller(BENCH_USER, clock.now()));
      const ownStore = watched && (hears?.wrap?.(watched.store) ?? watched.store);
      const mirror = await openMirror({
        job: {
          id: 'job',
          name: 'job',
          root,
          bucket,
          prefix: '',
          exclude: [],
          conflict: 'keep-both',
          drift: 'report',
          conflictWindowDays: 30,
          rescanMinutes: 60,
          unguarded: false,
          ...changes,
        },
        store: other ?? ownStore ?? store,
        isRemote,
        stateDir: join(home, 'state'),
        protectedFolders: [],
        hostId,
        clock: own,
        ...defined({ freeSpace, machine, turns, keyCheck, earlierChecks, onStateDamaged }),
        ...defined({ damage: isRemote ? undefined : engine?.damage, changes: watched?.changes }),
        logger: silentLogger,
        onChange: (status) => statuses.push(status),
        onActivity: (activity) => activities.push(activity),
      });
      mirrors.push(mirror);
      mirror.start();
      return mirror;
    },
    isProven(object) {
      const key = readProvenanceKey(join(home, 'state'));
      return key !== undefined && isProven(key, object);
    },
    heads: (prefix = '') => headsOf(store, bucket, prefix),
    keys: () => keysOf(store, bucket, ''),
    history: (key) => historyOf(store, bucket, key),
    async writeForeign(key, content) {
      await store.putObject({ bucket, key, body: bytesBody(content) });
    },
    tree: () => treeOf(root),
  };
}

/**
 * Writes the job's ownership marker before the mirror opens, which saves time. With a service that
 * ignores conditional writes, the mirror waits a second before it trusts a new marker.
 */
export async function claimBefore({ store, bucket, root }: MirrorBench): Promise<void> {
  const claim = { job: 'job', host: 'host', root };
  await takeOverDestination({ store, bucket, prefix: '' }, claim, new AbortController().signal);
}

const BENCH_USER = {
  kind: 'user',
  project: 'p',
  user: 'u',
  customer: 'c',
  fullAccess: true,
} as const;

async function openService(
  dir: string,
  { versioned = true, clock = systemClock, ownStore = clock !== systemClock }: MirrorBenchOptions,
): Promise<BenchService> {
  const engine = await (ownStore ? openOwnEngine(dir, clock) : sharedEngine());
  const store = engine.as(internalCaller(BENCH_USER, clock.now()));
  const bucket = `mirrored-${++buckets}`;
  await store.createBucket({ bucket, objectLockEnabled: versioned });
  return { store, bucket, engine, ...(ownStore && { close: () => engine.close() }) };
}

function openOwnEngine(dir: string, clock: Clock): Promise<Engine> {
  prepareStore(dir);
  const quotas = { minBytesPerPart: SMALL_PARTS.partBytes };
  return openEngine({ dir, clock, logger: silentLogger, region: 'us-east-1', quotas });
}

/** Number of buckets that the tests of this process have created. */
let buckets = 0;

/** Returns a character for each byte. */
async function latin1Of(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const { buffer, byteOffset, byteLength } of body)
    text += Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
  return text;
}

/** Returns the content of an object, or undefined if the object was deleted after the listing. */
async function textOf(store: ObjectStore, object: { bucket: string; key: string }) {
  try {
    const { body } = await store.getObject(object);
    return await latin1Of(body);
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey')) return undefined;
    throw error;
  }
}

async function keysOf(store: ObjectStore, bucket: string, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for (let token: string | undefined, more = true; more;) {
    const page = await store.listObjects({
      bucket,
      prefix,
      ...(token !== undefined && { continuationToken: token }),
    });
    keys.push(...page.objects.map(({ key }) => key));
    token = page.nextToken;
    more = token !== undefined;
  }
  return keys.filter((key) => !key.startsWith(`${prefix}.holdfast/`));
}

async function headsOf(store: ObjectStore, bucket: string, prefix: string) {
  const heads: Record<string, string> = {};
  for (const key of await keysOf(store, bucket, prefix)) {
    const text = await textOf(store, { bucket, key });
    if (text !== undefined) heads[key.slice(prefix.length)] = text;
  }
  return heads;
}

async function historyOf(store: ObjectStore, bucket: string, key: string) {
  const { versions } = await store.listVersions({ bucket, prefix: key });
  const history: string[] = [];
  for (const { kind, key: listed, versionId } of versions) {
    if (listed !== key) continue;
    if (kind === 'delete-marker') history.unshift('marker');
    else {
      const { body } = await store.getObject({ bucket, key, versionId });
      history.unshift(`put ${await latin1Of(body)}`);
    }
  }
  return history;
}

function treeOf(root: string, directory = ''): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(join(root, directory))) {
    const path = directory === '' ? name : `${directory}/${name}`;
    const stats = lstatSync(join(root, path));
    if (stats.isSymbolicLink()) tree[path] = readlinkSync(join(root, path), 'latin1');
    else if (stats.isDirectory()) {
      const below = treeOf(root, path);
      if (Object.keys(below).length === 0 || (stats.mode & 0o7777) !== 0o755) tree[`${path}/`] = '';
      Object.assign(tree, below);
    } else tree[path] = readFileSync(join(root, path)).toString('latin1');
  }
  return tree;
}
