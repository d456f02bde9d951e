import type Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import type {
  CommandName,
  Commands,
  Envelope,
} from '../../../src/engine/writes/commands/commands.ts';
import type { Reply } from '../../../src/engine/writes/writer-messages.ts';
import { DECISION_STEPS } from '../../../src/object-store/rules/access/policy-work.ts';
import { DEFAULT_QUOTAS } from '../../../src/object-store/rules/quota.ts';
import { GroupCommit } from '../../../src/engine/writes/group-commit.ts';
import { createFolders, layoutOf } from '../../../src/engine/disk/layout.ts';
import { packed, type SmallPut } from '../../../src/engine/writes/commands/packed-objects.ts';
import {
  COMMAND_STEPS,
  countPolicySteps,
  GROUP_STEPS,
  policySteps,
  stepsOfDecision,
} from '../../../src/engine/access/policy-meter.ts';
import { Reserve } from '../../../src/engine/writes/reserve.ts';
import { connectWriter, prepareMetadata } from '../../../src/engine/schema/schema.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { TEST_USER } from '../../helpers/test-engine.ts';

interface Fixture {
  readonly database: Database.Database;
  readonly commits: GroupCommit;
  readonly count: (table: string) => number;
}

function open(onCommit: () => void = () => undefined): Fixture {
  const layout = layoutOf(temporaryFolder());
  createFolders(layout);
  prepareMetadata(layout);
  const database = connectWriter(layout.metadata);
  const commits = new GroupCommit(database, {
    passPoint: (point) => {
      if (point === 'before-commit') onCommit();
    },
    quotas: DEFAULT_QUOTAS,
    reserve: Reserve.of(layout),
  });
  commits.run([envelope('createBucket', { bucket: 'bucket', objectLockEnabled: false })]);
  const count = (table: string) =>
    Number(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  return { database, commits, count };
}

let nextId = 1;

function envelope<Name extends CommandName>(
  name: Name,
  request: Commands[Name]['request'],
): Envelope {
  return {
    id: nextId++,
    name,
    request,
    caller: internalCaller(TEST_USER, 1000),
    now: 1000,
    trustedNow: 1000,
    clockAheadMs: 0,
    clock: 'believed' as const,
  };
}

function put(key: string, ifMatch?: string): Envelope {
  const content = { kind: 'inline', bytes: Buffer.from(key) } as const;
  const conditions = ifMatch === undefined ? undefined : { ifMatch };
  return envelope('putObject', { bucket: 'bucket', key, content, conditions });
}

const outcomes = (replies: readonly Reply[]) =>
  replies.map((reply) => ('refusal' in reply ? reply.refusal.code : 'done'));

test('the writer commits the other commands of a group if one command is refused', () => {
  const { commits, count } = open();
  const { replies } = commits.run([put('a'), put('b', 'no such etag'), put('c')]);
  expect(outcomes(replies)).toEqual(['done', 'NoSuchKey', 'done']);
  expect([count('version'), count('blob')]).toEqual([2, 2]);
});

test('the writer commits a group of commands in one transaction', () => {
  let commitCount = 0;
  const { commits } = open(() => {
    commitCount += 1;
  });
  commitCount = 0;
  commits.run([put('a'), put('b'), put('c')]);
  expect(commitCount).toBe(1);
});

test('the writer retries each command separately after the commit of their group failed', () => {
  const fail = { once: false };
  const { commits, count } = open(() => {
    if (!fail.once) return;
    fail.once = false;
    throw new Error('commit failed');
  });
  fail.once = true;
  const { replies } = commits.run([put('a'), put('b', 'no such etag'), put('c')]);
  expect(outcomes(replies)).toEqual(['done', 'NoSuchKey', 'done']);
  expect([count('version'), count('blob')]).toEqual([2, 2]);
});

test('the writer does not reuse sequence numbers after a rollback', () => {
  const fail = { once: false };
  const { commits, database } = open(() => {
    if (!fail.once) return;
    fail.once = false;
    throw new Error('commit failed');
  });
  commits.run([put('a')]);
  fail.once = true;
  commits.run([put('b'), put('c')]);
  commits.run([put('d')]);
  const sequences = database.prepare<[], number>('SELECT sequence FROM version').pluck().all();
  const highest = Math.max(...sequences);
  expect(new Set(sequences).size).toBe(4);
  expect(database.prepare('SELECT next_sequence FROM store').pluck().get()).toBe(highest + 1);
});

test('the writer stops all writes after a disk error and fails each queued command', () => {
  const fail = { always: false };
  const { commits, count } = open(() => {
    if (fail.always)
      throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
  });
  fail.always = true;
  const first = commits.run([put('a'), put('b')]);
  expect(outcomes(first.replies)).toEqual(['ServiceUnavailable', 'ServiceUnavailable']);
  expect(first.failure?.message).toContain('disk I/O error');
  fail.always = false;
  expect(outcomes(commits.run([put('c')]).replies)).toEqual(['ServiceUnavailable']);
  expect(count('version')).toBe(0);
});

test('the writer refuses only the writes of a group that do not fit on a full disk', () => {
  const { commits, database, count } = open();
  const pages = Number(database.pragma('page_count', { simple: true }));
  database.pragma(`max_page_count = ${pages + 8}`);
  const large = Buffer.alloc(30_000, 1);
  const big = envelope('putObject', {
    bucket: 'bucket',
    key: 'big',
    content: { kind: 'inline', bytes: Buffer.concat([large, large]) },
  });
  const { replies, failure } = commits.run([put('a'), big, put('b')]);
  expect(outcomes(replies)).toEqual(['done', 'InsufficientStorage', 'done']);
  expect([failure, count('version'), count('blob')]).toEqual([undefined, 2, 2]);
});

function bulk(...puts: readonly Envelope[]): Envelope {
  return envelope(
    'putObjects',
    packed(
      'bucket',
      puts.map(({ request }) => request as SmallPut),
    ),
  );
}

/** Returns the outcome of each object of each bulk write. */
const objectOutcomes = (replies: readonly Reply[]) =>
  replies.map((reply) => {
    if ('refusal' in reply) return reply.refusal.code;
    const all = reply.result as Commands['putObjects']['result'];
    return all.map((outcome) => ('code' in outcome ? outcome.code : 'done'));
  });

test('the writer runs a bulk write in one transaction and stores the other objects if one is refused', () => {
  let commitCount = 0;
  const { commits, count } = open(() => {
    commitCount += 1;
  });
  commitCount = 0;
  const { replies } = commits.run([bulk(put('a'), put('b', 'no such etag'), put('c'), put('a'))]);
  expect(objectOutcomes(replies)).toEqual([['done', 'NoSuchKey', 'done', 'done']]);
  expect([commitCount, count('version'), count('blob')]).toEqual([1, 2, 2]);
});

test('the writer retries each object of a bulk write separately after the commit failed', () => {
  const fail = { times: 0 };
  const { commits, count } = open(() => {
    fail.times -= 1;
    if (fail.times >= 0) throw new Error('commit failed');
  });
  // One failure of the bulk write and one of its second object.
  fail.times = 1;
  const write = bulk(put('a'), put('b', 'no such etag'), put('c'));
  expect(objectOutcomes(commits.run([write]).replies)).toEqual([['done', 'NoSuchKey', 'done']]);
  expect([count('version'), count('blob')]).toEqual([2, 2]);
});

test('the writer stores the other objects of a bulk write if the existing row of one object is damaged', () => {
  const { commits, database, count } = open();
  commits.run([bulk(put('a'), put('b'))]);
  database.exec(`DELETE FROM blob WHERE blob_id = (SELECT blob_id FROM version WHERE key = 'a')`);
  const { replies, failure } = commits.run([bulk(put('b'), put('a'), put('c'))]);
  expect(objectOutcomes(replies)).toEqual([['done', 'InternalError', 'done']]);
  expect([failure, count('version')]).toEqual([undefined, 3]);
});

test('the writer refuses only the objects of a bulk write that do not fit on a full disk', () => {
  const { commits, database, count } = open();
  const pages = Number(database.pragma('page_count', { simple: true }));
  database.pragma(`max_page_count = ${pages + 8}`);
  const content = { kind: 'inline', bytes: Buffer.alloc(60_000, 1) } as const;
  const big = envelope('putObject', { bucket: 'bucket', key: 'big', content });
  const { replies, failure } = commits.run([put('z'), bulk(put('a'), big, put('b'))]);
  expect(objectOutcomes(replies.slice(1))).toEqual([['done', 'InsufficientStorage', 'done']]);
  expect([failure, count('version'), count('blob')]).toEqual([undefined, 3, 3]);
});

test('the writer refuses every object of a bulk write after a disk error and stores none', () => {
  const fail = { always: false };
  const { commits, count } = open(() => {
    if (fail.always)
      throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
  });
  fail.always = true;
  const { replies, failure } = commits.run([bulk(put('a'), put('b'))]);
  expect(outcomes(replies)).toEqual(['ServiceUnavailable']);
  expect([failure?.code, count('version')]).toEqual(['ServiceUnavailable', 0]);
});

/**
 * Sets a policy with the given number of deny patterns. Matching a pattern takes about two steps
 * for each character of a key.
 */
function setPolicy(commits: GroupCommit, resources: number): void {
  const Resource = Array.from(
    { length: resources },
    (_, index) => `arn:aws:s3:::bucket/*a?z${index}*`,
  );
  const statements = [
    { Effect: 'Allow', Principal: '*', Action: 's3:*', Resource: 'arn:aws:s3:::bucket/*' },
    { Effect: 'Deny', Principal: '*', Action: 's3:*', Resource },
  ];
  const policy = JSON.stringify({ Version: '2012-10-17', Statement: statements });
  const { replies } = commits.run([envelope('putBucketPolicy', { bucket: 'bucket', policy })]);
  expect(outcomes(replies)).toEqual(['done']);
}

const longKeys = (count: number) =>
  Array.from({ length: count }, (_, index) => put(`${'a'.repeat(1000)}${index}`));

test('[policy-41] the writer ends a group of commands at most one access decision after its policies exceeded the step limit', () => {
  const { commits, count } = open();
  setPolicy(commits, 100);
  let waiting = longKeys(40);
  let groups = 0;
  while (waiting.length > 0) {
    const before = policySteps();
    const { replies } = commits.run(waiting);
    expect(policySteps() - before).toBeLessThan(GROUP_STEPS + DECISION_STEPS);
    expect(outcomes(replies)).toEqual(replies.map(() => 'done'));
    expect(replies.map(({ id }) => id)).toEqual(
      waiting.slice(0, replies.length).map(({ id }) => id),
    );
    waiting = waiting.slice(replies.length);
    groups += 1;
  }
  expect(groups).toBeGreaterThan(5);
  expect(count('version')).toBe(40);
});

test('[policy-41] the writer ends a bulk write at most one access decision after its policies exceeded the step limit of a group', () => {
  const { commits, count } = open();
  setPolicy(commits, 100);
  const puts = longKeys(40);
  let done = 0;
  while (done < puts.length) {
    const before = policySteps();
    const [outcomesOfWrite] = objectOutcomes(commits.run([bulk(...puts.slice(done))]).replies);
    expect(policySteps() - before).toBeLessThan(GROUP_STEPS + DECISION_STEPS);
    expect(new Set(outcomesOfWrite)).toEqual(new Set(['done']));
    done += outcomesOfWrite?.length ?? 0;
  }
  expect(count('version')).toBe(40);
});

test('[policy-41] the writer gives each object of a bulk write the same step limit as a separate put', () => {
  const { commits } = open();
  setPolicy(commits, 130);
  const puts = longKeys(1);
  const acl = { canned: 'public-read' } as const;
  const lock = { retention: { mode: 'GOVERNANCE', retainUntil: 2000 }, legalHold: true } as const;
  const request = {
    ...(puts[0]?.request as SmallPut),
    acl,
    tags: [{ key: 'a', value: 'b' }],
    lock,
  };
  const costly = envelope('putObject', request);
  expect(objectOutcomes(commits.run([bulk(...puts, costly)]).replies)).toEqual([['done']]);
  expect(objectOutcomes(commits.run([bulk(costly, ...puts)]).replies)).toEqual([['AccessDenied']]);
});

test('[policy-41] the writer applies one step limit to all access decisions of a command and denies a command that exceeds the limit', () => {
  const { commits } = open();
  setPolicy(commits, 130);
  const key = 'a'.repeat(1000);
  const content = { kind: 'inline', bytes: Buffer.from('x') } as const;
  const stepsOf = (request: Partial<Commands['putObject']['request']>) => {
    const before = policySteps();
    const group = [envelope('putObject', { bucket: 'bucket', key, content, ...request })];
    const [outcome] = outcomes(commits.run(group).replies);
    return { outcome, steps: policySteps() - before };
  };
  const { outcome, steps } = stepsOf({});
  expect([outcome, steps * 4 > COMMAND_STEPS]).toEqual(['done', true]);
  const acl = { canned: 'public-read' } as const;
  const lock = { retention: { mode: 'GOVERNANCE', retainUntil: 2000 }, legalHold: true } as const;
  const many = stepsOf({ acl, tags: [{ key: 'a', value: 'b' }], lock });
  expect(many.outcome).toBe('AccessDenied');
  expect(many.steps).toBeLessThan(COMMAND_STEPS + DECISION_STEPS / 10);
});

test('[policy-41] the writer starts a new step limit for the next command', () => {
  const { commits } = open();
  countPolicySteps(2 * COMMAND_STEPS);
  expect(stepsOfDecision()).toBe(DECISION_STEPS);
  setPolicy(commits, 130);
  expect(outcomes(commits.run(longKeys(40)).replies)).toContain('done');
  countPolicySteps(2 * COMMAND_STEPS);
  expect(stepsOfDecision()).toBe(DECISION_STEPS);
});

test('[policy-41] the writer ends a group that is retried command by command at its step limit too', () => {
  const fail = { once: false };
  const { commits, count } = open(() => {
    if (!fail.once) return;
    fail.once = false;
    throw new Error('commit failed');
  });
  setPolicy(commits, 100);
  fail.once = true;
  const { replies } = commits.run(longKeys(40));
  expect(replies.length).toBeLessThan(10);
  expect(count('version')).toBe(replies.length);
});

test('[policy-41] the writer counts the steps of reading policies toward the step limit of a group', () => {
  const { commits } = open();
  const Resource = `arn:aws:s3:::bucket/${'a'.repeat(18_000)}`;
  const policy = (Sid: string) =>
    JSON.stringify({
      Statement: { Sid, Effect: 'Allow', Principal: '*', Action: 's3:*', Resource },
    });
  const group = Array.from({ length: 20 }, (_, index) =>
    envelope('putBucketPolicy', { bucket: 'bucket', policy: policy(`s${index}`) }),
  );
  expect(commits.run(group).replies.length).toBeLessThan(5);
});

test('[policy-41] the writer runs 512 commands under a typical policy in one group', () => {
  const { commits } = open();
  setPolicy(commits, 20);
  const group = Array.from({ length: 512 }, (_, index) => put(`folder/file-${index}.txt`));
  expect(commits.run(group).replies).toHaveLength(512);
});
