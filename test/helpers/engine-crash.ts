/**
 * Runs an engine in a child process that is killed at fail points (named places in the code), and then
 * checks the engine's store.
 *
 * A process can be killed only once, and its start and the writes before the fail point take most of the CPU time of a
 * crash test. SIGSTOP leaves the same files as SIGKILL, because both prevent all further system calls of the process.
 * The child process therefore stops at each fail point, and each crash test gets a copy of the store of that moment.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import Database from 'better-sqlite3';

import { systemClock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import { invariant } from '../../src/base/errors.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { UserPrincipal } from '../../src/base/principal.ts';
import { type Engine, openEngine } from '../../src/engine/engine.ts';
import type { CommandName } from '../../src/engine/writes/commands/commands.ts';
import type { Crash } from '../../src/engine/disk/faults.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { checkMetadata } from '../../src/engine/integrity/check-metadata.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { CustomerKey } from '../../src/object-store/customer-key.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import { builtProgram } from './built-program.ts';
import { customerKey } from './customer-keys.ts';
import { blobFiles, blobPath } from './store-files.ts';

const CRASH_USER: UserPrincipal = {
  kind: 'user',
  project: 'project',
  user: 'user',
  customer: 'customer',
  fullAccess: true,
};

/** Minimum size in bytes of every part of a multipart upload except the last part. */
const MIN_PART_BYTES = 5 * 1024 ** 2;

const DAY_MS = 24 * 3600 * 1000;

/** Time in milliseconds between two checks whether the child process has stopped. */
const POLL_MS = 2;

export interface CrashPlan extends Crash {
  /** Folder for the copy of the store. */
  readonly dir: string;
}

/** Child process and the crashes in it. */
interface Life {
  readonly dir: string;
  readonly crashes: readonly Crash[];
}

/**
 * A version, or the object of a key in an unversioned bucket. `body` is the name of its content.
 */
interface Stored {
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string;
  readonly body: string;
}

/** Operations that the engine acknowledged before the child process died. */
export interface Acknowledged {
  readonly put: readonly Stored[];
  readonly removed: readonly Stored[];
  /** Versions with a lock that must never be removed. */
  readonly locked: readonly Stored[];
  /** Number of the last step that `accessInLane` completed. It is 0 before the first step. */
  readonly granted: number;
}

/** Returns the content with this name. Every third content is large. */
export function bodyOf(name: string): Buffer {
  const index = Number(name.replace(/\D/g, ''));
  return Buffer.alloc(index % 3 === 0 ? 150_000 + index : 100 + index, `${name} `);
}

/** Returns the name of a complete content, or undefined if no content has exactly these bytes. */
export function nameOfBody(bytes: Buffer): string | undefined {
  const [name = ''] = bytes.subarray(0, 20).toString().split(' ');
  if (bytes.equals(MULTIPART_BODY)) return 'multipart';
  return bodyOf(name).equals(bytes) ? name : undefined;
}

/** Content of every multipart upload: a first part of 5 MiB and a second part of one byte. */
const MULTIPART_BODY = Buffer.concat([Buffer.alloc(MIN_PART_BYTES, 'a'), Buffer.from('b')]);

/**
 * Performs several hundred operations with a stop at each fail point. Runs in the child process,
 * which is killed after the last stop.
 */
async function workUntilCrash({ dir, crashes }: Life): Promise<void> {
  const options = { dir, clock: systemClock, logger: silentLogger, region: 'us-east-1' };
  const [first] = crashes;
  const { command } = first ?? {};
  if (first && isOfSweep(first)) {
    await openEngine(options).then((engine) => engine.close());
    leaveBehind(dir);
  }
  const engine = await openEngine({ ...options, faults: { crash: crashes } });
  const store = engine.as(internalCaller(CRASH_USER, 0));
  await engine.sweep();
  await store.createBucket({ bucket: 'versions', objectLockEnabled: true });
  await store.createBucket({ bucket: 'plain' });
  await workInLane(store, 24);
  if (command) await CARE[command]?.({ engine, store, dir });
  const lanes = [0, 1, 2, 3].map((lane) => workInLane(store, lane));
  const others = [uploadInLane, bucketsInLane, locksInLane, accessInLane, bulkInLane];
  await Promise.all([...lanes, ...others.map((lane) => lane(store))]);
  await engine.close();
}

const isOfSweep = ({ point }: Crash) => point.startsWith('after-sweep');

/** Returns the work that the child process does first for this crash. Crashes with equal first work share a process. */
export function preparationOf(crash: Crash): unknown {
  return isOfSweep(crash) ? 'sweep' : CARE[crash.command ?? ''];
}

/** Creates the files that a crash can leave: an incomplete temporary file and an orphaned blob. */
function leaveBehind(dir: string): void {
  const name = 'ab'.repeat(16);
  mkdirSync(dirname(blobPath(dir, name)), { recursive: true });
  writeFileSync(join(dir, 'tmp', name), 'half');
  writeFileSync(blobPath(dir, name), 'without a row');
}

/**
 * Returns the customer key of an object. Objects that `workInLane` puts for lane 3 are encrypted, and their copies have
 * a different customer key.
 */
export function keysOf(key: string): { readonly customerKey?: CustomerKey } {
  if (key === 'copy3') return { customerKey: customerKey('two') };
  const number = /^k(\d+)$/.exec(key)?.[1];
  const isEncrypted = key === 'lane3' || (number !== undefined && Number(number) % 4 === 3);
  return isEncrypted ? { customerKey: customerKey('one') } : {};
}

async function workInLane(store: ObjectStore, lane: number): Promise<void> {
  for (let index = lane; index < 28; index += 4) {
    const [name, replaced] = [`k${index}`, `lane${lane}`];
    const body = bytesBody(bodyOf(name));
    const source = { bucket: 'versions', key: name };
    const { versionId = '' } = await store.putObject({ ...source, body, ...keysOf(name) });
    const version = { bucket: 'versions', key: name, versionId, body: name };
    acknowledge({ put: version });
    await store.putObject({ bucket: 'plain', key: replaced, body, ...keysOf(replaced) });
    acknowledge({ put: { bucket: 'plain', key: replaced, body: name } });
    const copy = { source, bucket: 'plain', key: `copy${lane}`, ...keysOf(`copy${lane}`) };
    const { customerKey: sourceCustomerKey } = keysOf(name);
    await store.copyObject(defined({ ...copy, sourceCustomerKey }));
    acknowledge({ put: { bucket: 'plain', key: `copy${lane}`, body: name } });
    await store.deleteObject({ bucket: 'plain', key: `copy${lane}` });
    acknowledge({ removed: { bucket: 'plain', key: `copy${lane}`, body: name } });
    if (index % 5 !== 0) continue;
    await store.deleteObject({ bucket: 'versions', key: name, versionId });
    acknowledge({ removed: version });
  }
}

async function uploadInLane(store: ObjectStore): Promise<void> {
  for (let index = 0; index < 2; index++) {
    const ref = { bucket: 'versions', key: `upload${index}` };
    const isAborted = index % 2 === 1;
    const first = bytesBody(isAborted ? 'a' : MULTIPART_BODY.subarray(0, MIN_PART_BYTES));
    const [again, second] = [bytesBody('replaced'), bytesBody('b')];
    const { uploadId } = await store.createUpload(ref);
    const upload = { ...ref, uploadId };
    await store.uploadPart({ ...upload, partNumber: 2, body: again });
    const parts = [
      { partNumber: 1, ...(await store.uploadPart({ ...upload, partNumber: 1, body: first })) },
      { partNumber: 2, ...(await store.uploadPart({ ...upload, partNumber: 2, body: second })) },
    ];
    if (isAborted) await store.abortUpload(upload);
    else {
      const { versionId = '' } = await store.completeUpload({ ...upload, parts });
      acknowledge({ put: { ...ref, versionId, body: 'multipart' } });
    }
  }
}

export const BULK_OBJECTS = 20;

/** Performs the bulk writes, two at a time. */
async function bulkInLane(store: ObjectStore): Promise<void> {
  const bucket = 'bulk';
  await store.createBucket({ bucket });
  await store.putVersioning({ bucket, versioning: 'Enabled' });
  for (let index = 0; index < 6; index += 2)
    await Promise.all([index, index + 1].map((number) => putInBulk(store, bucket, number)));
}

async function putInBulk(store: ObjectStore, bucket: string, number: number): Promise<void> {
  const objects = Array.from({ length: BULK_OBJECTS }, (_, index) => {
    // Every third content is large. The numbers in these names select contents that are small.
    const body = `k${3 * (number * BULK_OBJECTS + index) + 1}`;
    return { key: `write${number}/${index}`, body, bytes: bodyOf(body) };
  });
  const outcomes = (await store.bulkWriter?.putObjects({ bucket, objects })) ?? [];
  for (const [index, { key, body }] of objects.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined || isStorageError(outcome)) throw outcome;
    acknowledge({ put: { bucket, key, versionId: outcome.versionId, body } });
  }
}

async function bucketsInLane(store: ObjectStore): Promise<void> {
  for (let index = 0; index < 6; index++) {
    const ref = { bucket: `short${index}`, key: 'k' };
    await store.createBucket(ref);
    await store.putVersioning({ ...ref, versioning: 'Suspended' });
    await store.putObject({ ...ref, body: bytesBody(bodyOf('k3')) });
    const { uploadId } = await store.createUpload(ref);
    await store.uploadPart({ ...ref, uploadId, partNumber: 1, body: bytesBody(bodyOf('k6')) });
    await store.deleteObject({ ...ref, versionId: 'null' });
    await store.deleteBucket(ref);
    acknowledge({ removed: { ...ref, body: 'bucket' } });
  }
}

/**
 * Creates versions with an explicit retention and versions with the default retention of the
 * bucket.
 */
async function locksInLane(store: ObjectStore): Promise<void> {
  const [bucket, other] = ['locked', 'defaults'];
  for (const name of [bucket, other]) {
    await store.createBucket({ bucket: name, objectLockEnabled: true });
  }
  for (let index = 0; index < 6; index++) {
    const key = `k${index}`;
    const { versionId = '' } = await store.putObject({ bucket, key, body: bytesBody(bodyOf(key)) });
    const version = { bucket, key, versionId };
    acknowledge({ put: { ...version, body: key } });
    await store.putObjectTags({ ...version, tags: [{ key, value: bucket }] });
    await store.putBucketTags({ bucket, tags: [{ key, value: bucket }] });
    const retention = { mode: 'COMPLIANCE', retainUntil: systemClock.now() + DAY_MS } as const;
    if (index % 2 === 0) await store.putRetention({ ...version, retention });
    else await store.putLegalHold({ ...version, legalHold: true });
    acknowledge({ locked: { ...version, body: key } });
    const defaultRetention = { mode: 'GOVERNANCE', days: index + 1 } as const;
    await store.putObjectLockConfiguration({ bucket: other, defaultRetention });
  }
}

/** Returns the grant that `accessInLane` writes in this step. */
export const grantOfStep = (step: number) =>
  ({ grantee: `p${step}@customer`, permission: 'READ' }) as const;
export const policyOfStep = (step: number) =>
  JSON.stringify({
    Statement: {
      Sid: `step${step}`,
      Effect: 'Allow',
      Principal: '*',
      Action: 's3:ListBucket',
      Resource: 'arn:aws:s3:::shared',
    },
  });
export const blockOfStep = (step: number) => ({
  blockPublicAcls: step % 2 === 0,
  ignorePublicAcls: step % 2 === 1,
  blockPublicPolicy: false,
  restrictPublicBuckets: false,
});

/** Changes the ACLs, the policy and the public access block of a bucket in each step. */
async function accessInLane(store: ObjectStore): Promise<void> {
  const shared = { bucket: 'shared', key: 'k1' };
  await store.createBucket(shared);
  await store.putObject({ ...shared, body: bytesBody(bodyOf('k1')) });
  for (let step = 1; step <= 6; step++) {
    const acl = { grants: [grantOfStep(step)] };
    await store.putBucketAcl({ ...shared, acl });
    await store.putObjectAcl({ ...shared, acl });
    await store.putBucketPolicy({ ...shared, policy: policyOfStep(step) });
    await store.putPublicAccessBlock({ ...shared, block: blockOfStep(step) });
    acknowledge({ granted: step });
  }
}

interface Cared {
  readonly engine: Engine;
  readonly store: ObjectStore;
  readonly dir: string;
}

type Care = (cared: Cared) => Promise<unknown>;

/** For each database command that only maintenance executes, the maintenance work that executes it. */
const CARE: Readonly<Record<string, Care | undefined>> = {
  quarantine: losesBlob,
  endQuarantine: losesBlob,
  healVersion: losesBlob,
  saveScrub: ({ engine }) => engine.upkeep.scrub(),
  saveTrustedTime: ({ engine }) => engine.upkeep.trustClock(),
  putBucketQuota: ({ engine }) => engine.quotas.setOfBucket('plain', { objects: 1_000_000 }),
  putProjectQuota: ({ engine }) => engine.quotas.setOfProject(CRASH_USER, 60),
  repairTables: ({ engine }) => engine.upkeep.repair({ deep: false }),
  runLifecycle: expireSome,
} satisfies Partial<Record<CommandName, Care>>;

/**
 * Loses a blob twice, and garbage collection detects each loss. After the first loss, a repair ends the quarantine.
 * After the second, an object with the same content heals the version.
 */
async function losesBlob({ engine, store, dir }: Cared): Promise<void> {
  const before = new Set(blobFiles(dir));
  await store.putObject({ bucket: 'plain', key: 'care', body: bytesBody(bodyOf('k9')) });
  const file = blobFiles(dir).find((name) => !before.has(name)) ?? '';
  renameSync(blobPath(dir, file), `${dir}-${file}`);
  await engine.sweep();
  putBack(dir);
  await engine.upkeep.repair({ deep: false });
  await store.putObject({ bucket: 'plain', key: 'equal', body: bytesBody(bodyOf('k9')) });
  rmSync(blobPath(dir, file));
  await engine.sweep();
}

/**
 * Number of objects that expire at the same time. One transaction of a lifecycle run deletes fewer
 * objects.
 */
export const EXPIRING_OBJECTS = 300;

async function expireSome({ engine, store }: Cared): Promise<void> {
  const bucket = 'expiring';
  await store.createBucket({ bucket });
  const rules = [{ enabled: true, filter: {}, expiration: { date: 0 } }];
  await store.putLifecycle({ bucket, rules });
  const puts = Array.from({ length: EXPIRING_OBJECTS }, (_, index) =>
    store.putObject({ bucket, key: `k${index}`, body: bytesBody(bodyOf('k1')) }),
  );
  await Promise.all(puts);
  await engine.lifecycle.run();
}

function putBack(dir: string): void {
  for (const name of readdirSync(dirname(dir))) {
    const aside = join(dirname(dir), name);
    if (aside.startsWith(`${dir}-`)) renameSync(aside, blobPath(dir, aside.slice(dir.length + 1)));
  }
}

/** Writes synchronously, because a killed Node process loses its buffered output. */
function acknowledge(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/**
 * Runs `workUntilCrash` in a child process. Calls `onCrash` with the number of each crash whose store was copied, and
 * with the operations that were acknowledged before it. Returns after the last crash, or when the process has ended.
 */
export async function crash(
  dir: string,
  plans: readonly CrashPlan[],
  onCrash: (number: number, acknowledged: Acknowledged) => void,
): Promise<void> {
  const stops = `${dir}.stops`;
  mkdirSync(stops);
  const crashes = plans.map((plan, number) => ({ ...plan, stopFile: join(stops, `${number}`) }));
  // A pipe would be full while this process checks another store, and the child process would fail.
  const file = `${dir}.acknowledged`;
  const output = openSync(file, 'w');
  const life: Life = { dir, crashes };
  const child = spawn(process.execPath, [builtProgram('engine-crash'), JSON.stringify(life)], {
    stdio: ['ignore', output, 'inherit'],
  });
  closeSync(output);
  const ended = once(child, 'close');
  let left = crashes.length;
  while (left > 0 && child.exitCode === null && child.signalCode === null) {
    await sleep(POLL_MS);
    const [number] = readdirSync(stops);
    if (number === undefined || !isStopped(child.pid)) continue;
    const plan = plans[Number(number)];
    invariant(plan, 'only the fail points of the plans stop the process');
    copyStore(dir, plan.dir);
    onCrash(Number(number), acknowledgedIn(file));
    left -= 1;
    rmSync(join(stops, number));
    child.kill(left > 0 ? 'SIGCONT' : 'SIGKILL');
  }
  await ended;
}

/** Returns whether all threads of a process are stopped. */
function isStopped(pid = 0): boolean {
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads).every((thread) =>
    readFileSync(join(threads, thread, 'stat'), 'utf8').includes(') T '),
  );
}

/** Copies a store, and puts lost blobs back into the copy. */
function copyStore(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  const lost = `${basename(from)}-`;
  for (const name of readdirSync(dirname(from)))
    if (name.startsWith(lost))
      copyFileSync(join(dirname(from), name), blobPath(to, name.slice(lost.length)));
}

function acknowledgedIn(file: string): Acknowledged {
  const put: Stored[] = [];
  const removed: Stored[] = [];
  const locked: Stored[] = [];
  let granted = 0;
  for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    const said = JSON.parse(line) as {
      put?: Stored;
      removed?: Stored;
      locked?: Stored;
      granted?: number;
    };
    if (said.put) put.push(said.put);
    if (said.removed) removed.push(said.removed);
    if (said.locked) locked.push(said.locked);
    granted = said.granted ?? granted;
  }
  return { put, removed, locked, granted };
}

/**
 * Returns the inconsistencies in the metadata of a closed store, or an empty array if the metadata
 * is consistent.
 */
export function inconsistencies(dir: string, files: readonly string[]): readonly string[] {
  const database = new Database(join(dir, 'store.sqlite'), { readonly: true });
  const all = (sql: string) => database.prepare<[], string>(sql).pluck().all();
  const problems = all('PRAGMA integrity_check').filter((line) => line !== 'ok');
  const references = `SELECT blob_id FROM version WHERE blob_id NOT NULL
    UNION ALL SELECT blob_id FROM manifest_part UNION ALL SELECT blob_id FROM upload_part`;
  problems.push(
    ...all(`SELECT 'references of blob ' || blob_id FROM blob
      WHERE reference_count <> (SELECT count(*) FROM (${references}) AS r WHERE r.blob_id = blob.blob_id)`),
    ...all(
      `SELECT 'no blob ' || blob_id FROM (${references}) WHERE blob_id NOT IN (SELECT blob_id FROM blob)`,
    ),
    ...all(`SELECT 'latest of ' || key FROM version GROUP BY bucket_id, key
      HAVING sum(is_latest) <> 1 OR max(sequence) <> max(iif(is_latest, sequence, 0))`),
    ...all(`SELECT 'garbage ' || file FROM garbage`),
  );
  const named = new Set(all('SELECT file FROM blob WHERE file NOT NULL'));
  problems.push(...files.filter((file) => !named.has(file)).map((file) => `orphan ${file}`));
  problems.push(...checkMetadata(database, () => {}).problems.map(({ subject }) => subject));
  const present = new Set(files);
  problems.push(...[...named].filter((file) => !present.has(file)).map((file) => `hole ${file}`));
  database.close();
  return problems;
}

if (import.meta.main) await workUntilCrash(JSON.parse(process.argv[2] ?? '') as Life);
