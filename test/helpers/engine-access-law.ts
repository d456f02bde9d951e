/**
 * The law that the engine is held to: whatever its buckets, lists, policies and versions are, it allows what the naive
 * evaluator does of each thing that a call asks for (semantics B.6), and what it denies changes nothing.
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

/** What the store remembers of one bucket. */
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
  /** The store's folder. */
  readonly dir: string;
  readonly cases: number;
  readonly seed: number;
  /** The first case is enough, and no smaller one is looked for. */
  readonly endOnFailure?: boolean;
  readonly focus?: Focus;
  readonly onOutcome?: (outcome: Outcome) => void;
}

/** At a time, so that they share the syncs of the disk. */
const TOGETHER = 8;

/** Throws where the engine and the naive reading differ. */
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

/** Call by call, until one changes what the others are asked about. */
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
  const tellsMissing = missing === true && !expected;
  if (tellsMissing && !MISSING.has(code)) throw new Error(`${where()}: it is missing`);
  return {
    call: call.kind,
    action: refused?.action ?? checks[0]?.action ?? '',
    denied: expected,
    missing: tellsMissing,
    changed: before !== after,
  };
}

/** The last where a bucket without locks is asked for one. */
const MISSING = new Set(['InvalidRequest', 'MethodNotAllowed', 'NoSuchKey', 'NoSuchVersion']);

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string' || code === 'InternalError') throw error;
  return code;
}
