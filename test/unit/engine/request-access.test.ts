/**
 * Tests of the access check that runs before an XML or JSON request body is read. It refuses only
 * callers that the full check refuses too.
 */

import { expect, test } from 'vitest';

import type { Caller } from '../../../src/object-store/caller.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { actionOfDocument } from '../../../src/gateway/document-action.ts';
import { OPERATIONS, type OperationName } from '../../../src/protocol/operations.ts';
import { checkEngineLaw } from '../../helpers/engine-access-law.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

type Call = keyof ObjectStore;

/** The operations with an XML or JSON request body, keyed by the store call that each leads to. */
const CALLS: Partial<Record<Call, OperationName>> = {
  completeUpload: 'CompleteMultipartUpload',
  createBucket: 'CreateBucket',
  deleteObjects: 'DeleteObjects',
  putBucketAcl: 'PutBucketAcl',
  putBucketPolicy: 'PutBucketPolicy',
  putBucketTags: 'PutBucketTagging',
  putCors: 'PutBucketCors',
  putLegalHold: 'PutObjectLegalHold',
  putLifecycle: 'PutBucketLifecycleConfiguration',
  putObjectAcl: 'PutObjectAcl',
  putObjectLockConfiguration: 'PutObjectLockConfiguration',
  putObjectTags: 'PutObjectTagging',
  putPublicAccessBlock: 'PutPublicAccessBlock',
  putRetention: 'PutObjectRetention',
  putVersioning: 'PutBucketVersioning',
  putWebsite: 'PutBucketWebsite',
};

type Parameters = Readonly<Partial<Record<'bucket' | 'key' | 'uploadId' | 'versionId', string>>>;

function actionOf(operation: OperationName, { bucket, key, versionId, uploadId }: Parameters) {
  const parameters = Object.entries({ versionId, uploadId }).filter(
    (each): each is [string, string] => each[1] !== undefined,
  );
  const target = key === undefined ? { bucket: bucket! } : { bucket: bucket!, key };
  return actionOfDocument(operation, { target, parameters })!;
}

/**
 * Returns a store that first runs the access check that a gateway makes before it reads a request's
 * body. For each call, passes the result of this check to `asked`.
 */
function askingFirst(engine: Engine, caller: Caller, asked: (call: Call, on: boolean) => void) {
  return new Proxy(engine.as(caller), {
    get: (store, name: Call) => {
      // A request with an XML or JSON body never leads to a bulk write.
      if (name === 'bulkWriter') return store.bulkWriter;
      const operation = CALLS[name];
      const call = (store[name] as (...given: unknown[]) => unknown).bind(store);
      if (operation === undefined) return call;
      return async (request: Parameters) => {
        let continues = false;
        try {
          engine.accessOf(caller).allow(actionOf(operation, request));
          continues = true;
        } finally {
          asked(name, continues);
        }
        return call(request);
      };
    },
  });
}

test('every operation with an XML or JSON request body has a test of its access check', () => {
  const names = (Object.keys(OPERATIONS) as OperationName[]).filter(
    (name) => typeof OPERATIONS[name].request.body === 'object',
  );
  expect(Object.values(CALLS).sort()).toEqual(names.sort());
  for (const name of names) {
    expect(actionOfDocument(name, { target: { bucket: 'b' }, parameters: [] })).toBeDefined();
  }
});

test('the early access check refuses only requests that the full access check refuses too', async () => {
  const { dir, clock, engine } = await openTestEngine({ quotas: { bucketsPerProject: 10_000 } });
  const counts = { refused: 0, continued: 0 };
  const as = (caller: Caller) =>
    askingFirst(
      engine,
      caller,
      (_, continues) => (counts[continues ? 'continued' : 'refused'] += 1),
    );
  await checkEngineLaw({ as, now: () => clock.now() }, { dir, cases: 120, seed: 3 });
  expect(counts.refused).toBeGreaterThan(50);
  expect(counts.continued).toBeGreaterThan(50);
});
