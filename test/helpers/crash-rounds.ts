/**
 * Kills the daemon with SIGKILL at random times while a job mirrors a folder and other clients
 * write, and then checks the store. In every second round, the job sends bulk writes of many files. Acknowledged versions must be readable, removed versions must
 * not exist, and the job's bucket must become equal to its folder. The store check must find no
 * problem and no orphaned blob.
 */

import { existsSync, mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openSignedClient } from '../../src/client/signed-client.ts';
import { openEngine } from '../../src/engine/engine.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { openSqliteIdentity } from '../../src/identity/sqlite-identity.ts';
import { collect } from '../../src/object-store/body.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { amzDialect } from '../../src/protocol/dialect.ts';
import { type DaemonProcess, startDaemonProcess } from './daemon-process.ts';
import { ForeignWriter, PLAIN, VERSIONED } from './foreign-writer.ts';
import { blobFiles } from './store-files.ts';
import { changeTree, checksums, makeTree, randomFrom, rewriteFiles, sha256 } from './tree.ts';

export interface CrashOptions {
  /** Path of an empty folder for the test. */
  readonly folder: string;
  readonly rounds: number;
  readonly files: number;
  readonly seed: number;
  /** Number of other clients that write through the gateway while the job runs. */
  readonly writers: number;
  /** Called after each kill. `inFlight` is the number of the job's requests without an outcome. */
  readonly onRound?: (round: number, acknowledged: number, inFlight: number) => void;
}

export interface CrashReport {
  /** Acknowledged versions that are missing or have the wrong content. */
  readonly lost: readonly string[];
  /** Files whose object in the bucket has other content than the file. */
  readonly different: readonly string[];
  readonly orphans: number;
  /** Problems that the store check reported after the last kill of the daemon. */
  readonly problems: readonly string[];
  readonly acknowledged: number;
  /** Number of kills that hit the job while it had many requests without an outcome. */
  readonly bulkKills: number;
}

const BUCKET = 'crash';
const LONGEST_LIFE_MS = 1_500;
/** Longest time in milliseconds from the first bulk write of a round until the kill. */
const LONGEST_BULK_MS = 100;
const BULK_PATIENCE_MS = 30_000;
const POLL_MS = 5;
/** Share of the files that the test rewrites at once in every second round. */
const BURST_SHARE = 0.5;
/** The fewest requests without an outcome that show a bulk write in flight. */
const BULK_REQUESTS = 16;

export async function crashRounds(options: CrashOptions): Promise<CrashReport> {
  const random = randomFrom(options.seed);
  const root = join(options.folder, 'tree');
  const home = join(options.folder, 'home');
  mkdirSync(root);
  mkdirSync(home, { mode: 0o700 });
  makeTree(root, options.files);
  const acknowledged = new Map<string, Acknowledged>();
  const learn = () => {
    const { uploaded, inFlight } = readJob(home);
    for (const each of uploaded) acknowledged.set(`${each.key} ${each.versionId}`, each);
    return inFlight;
  };
  const writers = Array.from(
    { length: options.writers },
    (_, index) => new ForeignWriter(`writer${index}`, randomFrom(options.seed + index + 1)),
  );
  const lost: string[] = [];
  let bulkKills = 0;
  for (let round = 0; round < options.rounds; round += 1) {
    const daemon = await startDaemonProcess(home);
    if (round === 0) await prepare(daemon, root);
    changeTree(root, random, 20);
    const isBulk = round % 2 === 1;
    const life = isBulk
      ? async () => {
          rewriteFiles(root, random, options.files * BURST_SHARE);
          await bulkWrite(home);
          await systemClock.sleep(random() * LONGEST_BULK_MS);
        }
      : () => systemClock.sleep(random() * LONGEST_LIFE_MS);
    lost.push(...(await live(daemon, writers, life)));
    const inFlight = learn();
    if (inFlight >= BULK_REQUESTS) bulkKills += 1;
    const foreign = writers.reduce((sum, writer) => sum + writer.acknowledged, 0);
    options.onRound?.(round + 1, acknowledged.size + foreign, inFlight);
  }
  await settle(home);
  learn();
  const report = await judge(home, root, { acknowledged: [...acknowledged.values()], writers });
  return { ...report, bulkKills, lost: [...lost, ...report.lost] };
}

async function prepare({ client }: DaemonProcess, root: string): Promise<void> {
  await client.call('jobs.add', { folder: root, bucket: BUCKET });
  for (const bucket of [VERSIONED, PLAIN]) {
    const options = { versioning: bucket === VERSIONED, objectLock: false };
    await client.call('buckets.create', { bucket, ...options });
  }
}

/**
 * Lets the clients write and the job mirror until `life` has ended, and then kills the daemon. Returns
 * the writes that the previous run of the daemon lost.
 */
async function live(
  daemon: DaemonProcess,
  writers: readonly ForeignWriter[],
  life: () => Promise<void>,
): Promise<string[]> {
  const {
    endpointUrl: endpoint,
    region,
    ...credentials
  } = await daemon.client.call('credentials', {});
  const common = { dialect: amzDialect, clock: systemClock, logger: silentLogger };
  const store = openSignedClient({ endpoint, region, credentials, ...common });
  try {
    const lost: string[] = [];
    for (const writer of writers) lost.push(...(await writer.broken(store, 'new')));
    const [ends, over] = [new AbortController(), new AbortController()];
    const signals = { ends: ends.signal, over: over.signal };
    const work = Promise.all(writers.map((writer) => writer.work(store, signals)));
    await Promise.race([work, life()]);
    ends.abort();
    await daemon.kill();
    over.abort();
    await work;
    return lost;
  } finally {
    await store.close();
  }
}

interface Acknowledged {
  readonly key: string;
  readonly versionId: string;
  readonly sha256: string;
}

/**
 * Reads the files in the job's baseline, and counts its requests without an outcome. A job adds a
 * file to its baseline only after the service has acknowledged the upload.
 */
function readJob(home: string): { readonly uploaded: Acknowledged[]; readonly inFlight: number } {
  const state = openState(home);
  if (!state) return { uploaded: [], inFlight: 0 };
  try {
    const uploaded = state
      .prepare<[], Acknowledged>(
        `SELECT folder || name AS key, version_id AS versionId, sha256
           FROM baseline WHERE kind = 'file' AND version_id IS NOT NULL`,
      )
      .all();
    return { uploaded, inFlight: countInFlight(state) };
  } finally {
    state.close();
  }
}

function openState(home: string): Database.Database | undefined {
  const file = join(home, 'state', 'jobs', BUCKET, 'state.sqlite');
  return existsSync(file) ? new Database(file) : undefined;
}

/**
 * Counts the entries in the job's upload journal. An entry exists from before the request until its outcome is known.
 */
function countInFlight(state: Database.Database): number {
  const count = state.prepare<[], number>(`SELECT count(*) FROM journal WHERE operation = 'put'`);
  return count.pluck().get() ?? 0;
}

/** Waits until the job has sent a bulk write, but not longer than a busy machine needs for that. */
async function bulkWrite(home: string): Promise<void> {
  const state = openState(home);
  if (!state) return;
  try {
    const giveUpAt = systemClock.monotonic() + BULK_PATIENCE_MS;
    while (countInFlight(state) < BULK_REQUESTS && systemClock.monotonic() < giveUpAt)
      await systemClock.sleep(POLL_MS);
  } finally {
    state.close();
  }
}

async function settle(home: string): Promise<void> {
  const daemon = await startDaemonProcess(home);
  let { job } = await daemon.client.call('jobs.settled', { name: BUCKET });
  // The mass-change guard holds a large number of deletes for review, so the test approves them.
  while (job.counts.held > 0) {
    await daemon.client.call('jobs.approve', { name: BUCKET });
    ({ job } = await daemon.client.call('jobs.settled', { name: BUCKET }));
  }
  await daemon.stop();
  if (job.counts.problems > 0) throw new Error(`settle: ${JSON.stringify(job.problems)}`);
}

interface Promised {
  readonly acknowledged: readonly Acknowledged[];
  readonly writers: readonly ForeignWriter[];
}

async function judge(
  home: string,
  root: string,
  { acknowledged, writers }: Promised,
): Promise<Omit<CrashReport, 'bulkKills'>> {
  const dir = join(home, 'data', 'store');
  const engine = await openEngine({
    dir,
    clock: systemClock,
    logger: silentLogger,
    region: 'us-east-1',
  });
  try {
    const store = storeOf(engine, home);
    await engine.sweep();
    const { problems } = await engine.upkeep.check({ deep: true });
    const lost = await unreadable(store, acknowledged);
    for (const writer of writers) lost.push(...(await writer.broken(store, 'all')));
    return {
      lost,
      problems: problems.map(({ code, subject, message }) => `${code}: ${subject}: ${message}`),
      different: await differences(store, root),
      orphans: blobFiles(dir).length - referencedBlobs(dir),
      acknowledged: writers.reduce((sum, writer) => sum + writer.acknowledged, acknowledged.length),
    };
  } finally {
    await engine.close();
  }
}

/** Opens the store as the first user that the daemon creates. */
function storeOf(engine: Engine, home: string): ObjectStore {
  const identity = openSqliteIdentity({
    path: join(home, 'data', 'identity.sqlite'),
    clock: systemClock,
  });
  const principal = identity.ensureFirstUser({ user: userInfo().username });
  identity.close();
  return engine.as(internalCaller(principal, systemClock.now()));
}

const BODY_LIMIT_BYTES = 2 ** 20;

async function unreadable(
  store: ObjectStore,
  acknowledged: readonly Acknowledged[],
): Promise<string[]> {
  const lost: string[] = [];
  for (const each of acknowledged) {
    const { key, versionId } = each;
    const content = await store.getObject({ bucket: BUCKET, key, versionId });
    const bytes = await collect(content.body, BODY_LIMIT_BYTES);
    if (sha256(bytes) !== each.sha256) lost.push(`${key} ${versionId}`);
  }
  return lost;
}

async function differences(store: ObjectStore, root: string): Promise<string[]> {
  const heads = new Map<string, string>();
  let token: string | undefined;
  do {
    const page = await store.listObjects({
      bucket: BUCKET,
      ...(token !== undefined && { continuationToken: token }),
    });
    for (const { key } of page.objects) {
      if (key.startsWith('.holdfast/') || key.endsWith('/')) continue;
      const { body } = await store.getObject({ bucket: BUCKET, key });
      heads.set(key, sha256(await collect(body, BODY_LIMIT_BYTES)));
    }
    token = page.nextToken;
  } while (token !== undefined);
  const files = checksums(root);
  return [...new Set([...heads.keys(), ...files.keys()])].filter(
    (path) => heads.get(path) !== files.get(path),
  );
}

function referencedBlobs(dir: string): number {
  const metadata = new Database(join(dir, 'store.sqlite'), { readonly: true });
  try {
    const count = metadata.prepare<[], number>('SELECT count(*) FROM blob WHERE file IS NOT NULL');
    return count.pluck().get() ?? 0;
  } finally {
    metadata.close();
  }
}
