/** A process that uses an engine until it dies at a fail point, and what must hold of its store afterwards. */

import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import Database from 'better-sqlite3';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { UserPrincipal } from '../../src/base/principal.ts';
import { openEngine } from '../../src/engine/engine.ts';
import type { FailPoint } from '../../src/engine/faults.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';

const CRASH_USER: UserPrincipal = {
  kind: 'user',
  project: 'project',
  user: 'user',
  customer: 'customer',
  fullAccess: true,
};

export interface CrashPlan {
  readonly dir: string;
  readonly point: FailPoint;
  readonly pass: number;
}

/** What the process had been answered before it died. */
export interface Acknowledged {
  readonly put: readonly { readonly key: string; readonly versionId: string }[];
  readonly removed: readonly { readonly key: string; readonly versionId: string }[];
}

/** The body of a key, so that whatever is found can be checked: every third one is large. */
export function bodyOf(key: string): Buffer {
  const index = Number(key.replace(/\D/g, ''));
  return Buffer.alloc(index % 3 === 0 ? 150_000 + index : 100 + index, key);
}

/** Runs until the process is killed, or some hundred operations long. Called in the child. */
async function workUntilCrash({ dir, point, pass }: CrashPlan): Promise<void> {
  const faults = { crash: { point, pass } };
  const options = { dir, clock: systemClock, logger: silentLogger, region: 'us-east-1', faults };
  const engine = await openEngine(options);
  const store = engine.as(internalCaller(CRASH_USER, 0));
  await store.createBucket({ bucket: 'versions', objectLockEnabled: true });
  await store.createBucket({ bucket: 'plain' });
  const lanes = [0, 1, 2, 3].map((lane) => workInLane(store, lane));
  await Promise.all(lanes);
  await engine.close();
}

async function workInLane(store: ObjectStore, lane: number): Promise<void> {
  for (let index = lane; index < 200; index += 4) {
    const key = `k${index}`;
    const body = bytesBody(bodyOf(key));
    const { versionId = '' } = await store.putObject({ bucket: 'versions', key, body });
    acknowledge({ put: { key, versionId } });
    await store.putObject({ bucket: 'plain', key: `lane${lane}`, body });
    await store.copyObject({
      source: { bucket: 'versions', key },
      bucket: 'plain',
      key: `c${lane}`,
    });
    if (index % 5 !== 0) continue;
    await store.deleteObject({ bucket: 'versions', key, versionId });
    acknowledge({ removed: { key, versionId } });
  }
}

/** Straight to the pipe: what Node would still have buffered at the kill counts as never said. */
function acknowledge(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/** Runs `workUntilCrash` in a process of its own; tells what was acknowledged and how it ended. */
export async function crash(
  plan: CrashPlan,
): Promise<{ acknowledged: Acknowledged; signal: NodeJS.Signals | null }> {
  const program = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, ['--no-warnings', program, JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const signal = await new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.on('error', reject).on('close', (_code, how) => resolve(how));
  });
  const put: Acknowledged['put'][number][] = [];
  const removed: Acknowledged['removed'][number][] = [];
  for (const line of output.split('\n').slice(0, -1)) {
    const said = JSON.parse(line) as { put?: (typeof put)[number]; removed?: (typeof put)[number] };
    if (said.put) put.push(said.put);
    if (said.removed) removed.push(said.removed);
  }
  return { acknowledged: { put, removed }, signal };
}

/** What is wrong in the metadata of a closed store; empty when all is well. */
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
  const present = new Set(files);
  problems.push(...[...named].filter((file) => !present.has(file)).map((file) => `hole ${file}`));
  database.close();
  return problems;
}

if (import.meta.main) await workUntilCrash(JSON.parse(process.argv[2] ?? '') as CrashPlan);
