/**
 * Property test of access control in the engine. It creates random buckets, ACLs, policies and
 * versions. The engine must allow a call exactly if the naive evaluator allows all actions that the
 * call needs (semantics B.6). A denied call must not change the bucket.
 */

import { join } from 'node:path';

import Database from 'better-sqlite3';
import * as fc from 'fast-check';

import { CALLS } from './engine-calls.ts';
import { type EngineCall, type EngineCase, engineCases, type Focus } from './engine-cases.ts';
import { allows, type BoundEngine, buildWorld, callerOf, type World } from './engine-world.ts';

export interface Outcome {
  readonly call: string;
  readonly action: string;
  readonly denied: boolean;
  readonly missing: boolean;
}

/** Copy of all database rows of one bucket. Tests compare copies from before and after a call. */
class BucketPicture {
  readonly #database: Database.Database;

  constructor(dir: string) {
    this.#database = new Database(join(dir, 'store.sqlite'), { readonly: true });
  }

  of(bucket: string): string {
    const all = (table: string, where = 'bucket_id = ?') =>
      this.#database.prepare(`SELECT * FROM ${table} WHERE ${where}`).all(bucketId);
    const bucketId = this.#database
      .prepare('SELECT bucket_id FROM bucket WHERE name = ?')
      .pluck()
      .get(bucket) as number;
    const parts = 'upload_sequence IN (SELECT sequence FROM upload WHERE bucket_id = ?)';
    return JSON.stringify([
      ...['bucket', 'bucket_config', 'version', 'upload'].map((table) => all(table)),
      all('upload_part', parts),
    ]);
  }

  close(): void {
    this.#database.close();
  }
}

interface LawOptions {
  /** Path of the folder that contains the store. */
  readonly dir: string;
  readonly cases: number;
  readonly seed: number;
  /** If true, the test stops at the first failing case and does not shrink it. */
  readonly endOnFailure?: boolean;
  readonly focus?: Focus;
  readonly onOutcome?: (outcome: Outcome) => void;
}

/** Number of cases that run in parallel. Parallel cases share disk syncs. */
const TOGETHER = 8;

/** Throws an error if the engine and the naive evaluator decide differently about a call. */
export async function checkEngineLaw(
  engine: BoundEngine,
  { dir, cases, seed, endOnFailure = false, focus, onOutcome }: LawOptions,
): Promise<void> {
  const picture = new BucketPicture(dir);
  let buckets = 0;
  const some = fc.array(engineCases(focus), { minLength: TOGETHER, maxLength: TOGETHER });
  const law = fc.asyncProperty(some, async (all) => {
    const outcomes = all.map((about) => answer(engine, picture, about, `box-${++buckets}`));
    for (const outcome of (await Promise.all(outcomes)).flat()) onOutcome?.(outcome);
  });
  try {
    await fc.assert(law, { numRuns: Math.ceil(cases / TOGETHER), seed, endOnFailure });
  } finally {
    picture.close();
  }
}

/**
 * Performs the calls of a case in order. Stops after a call that changes the bucket, because the
 * naive evaluator knows only the initial state.
 */
async function answer(
  engine: BoundEngine,
  picture: BucketPicture,
  about: EngineCase,
  bucket: string,
): Promise<readonly Outcome[]> {
  const world = await buildWorld(engine, about, bucket);
  const outcomes: Outcome[] = [];
  for (const call of about.calls) {
    const { changed, ...outcome } = await compare(engine, picture, world, call);
    outcomes.push(outcome);
    if (changed) break;
  }
  return outcomes;
}

async function compare(
  engine: BoundEngine,
  picture: BucketPicture,
  world: World,
  call: EngineCall,
) {
  const { checks, missing, run, refusedAnyway } = CALLS[call.kind]!.plan(world, call);
  const refused = checks.find((check) => !allows(world, call, check));
  const expected = refused !== undefined || refusedAnyway === true;
  const before = picture.of(world.bucket);
  const code = await run(engine.as(callerOf(call, world.now))).then(() => 'done', codeOf);
  const after = picture.of(world.bucket);
  const where = () =>
    `${call.kind} by ${call.user ?? 'anybody'}: ${JSON.stringify({ code, refused, call })}`;
  if ((code === 'AccessDenied') !== expected)
    throw new Error(`${where()}: naively ${expected ? 'denied' : 'allowed'}`);
  if (code !== 'done' && before !== after) throw new Error(`${where()}: something changed`);
  const revealsMissing = missing === true && !expected;
  if (revealsMissing && !MISSING.has(code)) throw new Error(`${where()}: it is missing`);
  return {
    call: call.kind,
    action: refused?.action ?? checks[0]?.action ?? '',
    denied: expected,
    missing: revealsMissing,
    changed: before !== after,
  };
}

/**
 * Error codes for missing objects and versions. Lock operations in a bucket without Object Lock
 * return InvalidRequest.
 */
const MISSING = new Set(['InvalidRequest', 'MethodNotAllowed', 'NoSuchKey', 'NoSuchVersion']);

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string' || code === 'InternalError') throw error;
  return code;
}
