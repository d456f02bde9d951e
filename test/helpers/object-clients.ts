/**
 * Runs several concurrent clients that make random calls on a few keys, and records the responses.
 */

import * as fc from 'fast-check';

import type { HistoryRecorder } from './linearizability.ts';
import type { ObjectClient } from './object-client.ts';
import type { Conditions, ObjectAnswer, ObjectCall } from './object-model.ts';

const KEYS = ['a', 'b'];

/**
 * Condition of a conditional call on the object. `seen` stands for the ETag that the client
 * received last.
 */
type Expected = 'anything' | 'nothing' | 'seen' | 'something';

const steps = fc.record({
  kind: fc.constantFrom<ObjectCall['kind']>(
    ...(['put', 'put', 'put', 'get', 'get', 'head', 'delete', 'copy', 'complete'] as const),
  ),
  key: fc.constantFrom(...KEYS),
  expected: fc.constantFrom<Expected>('anything', 'nothing', 'seen', 'seen', 'something'),
});

export interface Crowd {
  readonly clients: readonly ObjectClient[];
  readonly stepsEach: number;
  readonly seed: number;
  readonly recorder: HistoryRecorder<ObjectCall, ObjectAnswer>;
}

/** Resolves when each client has finished its calls or lost its connection. */
export async function runCrowd({ clients, stepsEach, seed, recorder }: Crowd): Promise<void> {
  const work = clients.map((client, index) =>
    runOne(client, index, { stepsEach, seed: seed * 1_000 + index, recorder }),
  );
  await Promise.all(work);
}

async function runOne(
  client: ObjectClient,
  index: number,
  { stepsEach, seed, recorder }: Omit<Crowd, 'clients'>,
): Promise<void> {
  const seen = new Map<string, string>();
  for (const [at, step] of fc.sample(steps, { numRuns: stepsEach, seed }).entries()) {
    const call = callOf(step, {
      text: `${index}.${at}`,
      seen: seen.get(step.key) ?? '0'.repeat(32),
    });
    const uploadId = call.kind === 'complete' ? await ready(client, call) : '';
    if (uploadId === undefined) return;
    const answer = await recorder.record(call, () => client.perform(call, uploadId));
    if (answer === undefined) return;
    if (answer.etag !== undefined) seen.set(step.key, answer.etag);
  }
}

/**
 * Creates the multipart upload that a completion needs. The history does not contain this call,
 * because it changes no object. Returns undefined if the connection was lost.
 */
function ready(
  client: ObjectClient,
  { key, text }: { readonly key: string; readonly text: string },
): Promise<string | undefined> {
  return client.prepareUpload(key, text).catch(() => undefined);
}

function callOf(
  { kind, key, expected }: { kind: ObjectCall['kind']; key: string; expected: Expected },
  { text, seen }: { readonly text: string; readonly seen: string },
): ObjectCall {
  const conditions = conditionsOf(expected, seen);
  switch (kind) {
    case 'get':
    case 'head':
      return { kind, key };
    case 'delete':
      // The condition If-None-Match is invalid for a delete.
      return { kind, key, conditions: expected === 'nothing' ? {} : conditions };
    case 'copy':
      return { kind, key, source: KEYS.find((each) => each !== key) ?? key, conditions };
    default:
      return { kind, key, text, conditions };
  }
}

function conditionsOf(expected: Expected, seen: string): Conditions {
  if (expected === 'nothing') return { ifNoneMatch: '*' };
  if (expected === 'something') return { ifMatch: '*' };
  return expected === 'seen' ? { ifMatch: seen } : {};
}
