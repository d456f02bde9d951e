/**
 * Tests that random puts have the same results and leave the same versions, whether they are written one by one or
 * in bulk.
 */

import { createHash } from 'node:crypto';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { principalId } from '../../../src/base/principal.ts';
import { defined } from '../../../src/base/defined.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import type { ObjectToPut, PutOutcome } from '../../../src/object-store/bulk-write.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import type { ListedVersion } from '../../../src/object-store/listing.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { isStorageError } from '../../../src/object-store/storage-error.ts';
import { customerKey } from '../../helpers/customer-keys.ts';
import type { FakeClock } from '../../helpers/fake-clock.ts';
import { openTestEngine, readBytes, TEST_USER } from '../../helpers/test-engine.ts';

const DAY_MS = 24 * 3_600_000;
const COLLEAGUE = { ...TEST_USER, user: 'colleague', fullAccess: false };
const STRANGER = { ...TEST_USER, project: 'other', user: 'stranger' };

const digest = (algorithm: string, text: string) => createHash(algorithm).update(text);
const contents = ['', 'one', 'two', 'x'.repeat(3000)] as const;
const content = fc.constantFrom(...contents);
const etag = content.map((text) => digest('md5', text).digest('hex'));
/** Most values are undefined, because then most puts succeed. */
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const rarely = <T>(usual: T, rare: T) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constant(rare) },
  );

const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'b', 'b/c') },
  { weight: 1, arbitrary: fc.constantFrom('denied/a', '') },
);
const put = fc.record({
  key,
  content,
  conditions: sometimes(
    fc.oneof(
      fc.record({ ifNoneMatch: fc.constantFrom('*') }),
      fc.record({ ifMatch: fc.oneof(etag, fc.constant('*')) }),
    ),
  ),
  lock: sometimes(
    fc.record({
      retention: fc.record({
        mode: fc.constantFrom('GOVERNANCE' as const, 'COMPLIANCE' as const),
        days: rarely(1, -1),
      }),
      legalHold: fc.boolean(),
    }),
  ),
  tags: sometimes(
    fc.array(fc.record({ key: rarely('t', ''), value: fc.constant('v') }), { maxLength: 2 }),
  ),
  acl: sometimes(fc.constantFrom('private' as const, 'public-read' as const)),
  statedSha256: sometimes(content),
  checksum: sometimes(fc.constantFrom('CRC32C' as const, 'SHA256' as const)),
  isEncrypted: rarely(false, true),
  metadata: sometimes(rarely('plain', 'two\nlines')),
});
type Put = typeof put extends fc.Arbitrary<infer Value> ? Value : never;

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      verb: fc.constant('put' as const),
      by: fc.constantFrom(TEST_USER, TEST_USER, COLLEAGUE, STRANGER),
      puts: fc.array(put, { maxLength: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ verb: fc.constant('delete' as const), key }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ verb: fc.constant('quota' as const), objects: fc.nat(9) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      verb: fc.constant('version' as const),
      versioning: fc.constantFrom('Enabled' as const, 'Suspended' as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

type PutAll = (
  store: ObjectStore,
  bucket: string,
  objects: readonly ObjectToPut[],
) => Promise<readonly PutOutcome[]>;

const inBulk: PutAll = async (store, bucket, objects) =>
  (await store.bulkWriter?.putObjects({ bucket, objects })) ?? [];

/** Calls all puts in one event loop turn, so that the store runs them in this order. */
const alone: PutAll = (store, bucket, objects) =>
  Promise.all(
    objects.map(({ bytes, sha256, checksum, ...object }) => {
      const body = { ...bytesBody(bytes), ...defined({ sha256, checksum }) };
      return store.putObject({ ...object, bucket, body }).catch(refusal);
    }),
  );

function refusal(error: unknown) {
  if (isStorageError(error)) return error;
  throw error;
}

interface World {
  readonly engine: Engine;
  readonly clock: FakeClock;
}

function objectOf(
  { content: text, lock, statedSha256, checksum: algorithm, isEncrypted, ...given }: Put,
  now: number,
): ObjectToPut {
  const { key, conditions, tags, acl, metadata } = given;
  const mode = lock?.retention.mode ?? 'GOVERNANCE';
  const retainUntil = now + (lock?.retention.days ?? 0) * DAY_MS;
  return defined({
    key,
    bytes: Buffer.from(text),
    conditions,
    tags,
    acl: acl && { canned: acl },
    lock: lock && { retention: { mode, retainUntil }, legalHold: lock.legalHold },
    sha256: statedSha256 === undefined ? undefined : digest('sha256', statedSha256).digest('hex'),
    checksum: algorithm && { algorithm },
    customerKey: isEncrypted ? customerKey('one') : undefined,
    attributes: metadata === undefined ? undefined : { metadata: { text: metadata } },
  });
}

/** Runs the steps in a new bucket. Returns the outcomes of all steps and the stored versions. */
async function history(
  { engine, clock }: World,
  bucket: string,
  { steps, kind, putAll }: Run & { readonly putAll: PutAll },
): Promise<unknown> {
  const as = (who: typeof TEST_USER) => engine.as(internalCaller(who, clock.now()));
  const store = as(TEST_USER);
  await store.createBucket({ bucket, objectLockEnabled: kind !== 'plain' });
  if (kind === 'retaining') {
    const defaultRetention = { mode: 'GOVERNANCE', days: 2 } as const;
    await store.putObjectLockConfiguration({ bucket, defaultRetention });
  }
  await store.putBucketPolicy({ bucket, policy: policyOf(bucket) });
  await store.putLifecycle({
    bucket,
    rules: [{ id: 'expire', enabled: true, filter: { prefix: 'b' }, expiration: { days: 3 } }],
  });
  const returned: unknown[] = [];
  for (const each of steps) {
    if (each.verb === 'put') {
      const objects = each.puts.map((one) => objectOf(one, clock.now()));
      returned.push((await putAll(as(each.by), bucket, objects)).map(comparable));
    } else {
      returned.push(await take(each, engine, store, bucket));
    }
  }
  await engine.quotas.setOfBucket(bucket, {});
  const { versions } = await store.listVersions({ bucket });
  const owners = [TEST_USER, COLLEAGUE, STRANGER].map(
    (who) => [principalId(who), as(who)] as const,
  );
  const storeOf = new Map(owners);
  return {
    returned,
    versions: await Promise.all(
      versions.map((each) => stored(storeOf.get(each.owner ?? '') ?? store, bucket, each)),
    ),
  };
}

async function take(
  each: Exclude<Step, { verb: 'put' }>,
  engine: Engine,
  store: ObjectStore,
  bucket: string,
): Promise<unknown> {
  if (each.verb === 'quota') return engine.quotas.setOfBucket(bucket, { objects: each.objects });
  const attempt =
    each.verb === 'delete'
      ? store.deleteObject({ bucket, key: each.key })
      : store.putVersioning({ bucket, versioning: each.versioning });
  const answer = await attempt.catch(refusal);
  return isStorageError(answer) ? answer.code : 'done';
}

/** Version ids are random, so the comparison replaces them. */
function comparable(outcome: PutOutcome) {
  if (isStorageError(outcome)) {
    const { code, message, details } = outcome;
    return { code, message, details };
  }
  const { versionId } = outcome;
  return { ...outcome, versionId: versionId && (versionId === 'null' ? 'null' : 'random') };
}

/** Returns everything that can be read of a version, except its id. */
async function stored(store: ObjectStore, bucket: string, version: ListedVersion) {
  const { versionId, key, ...listed } = version;
  const place = { key, isNull: versionId === 'null', ...listed };
  if (version.kind !== 'version') return place;
  const ref = { bucket, key, versionId };
  const read = (more: object) => readBytes(store, { ...ref, ...more });
  const keyed = { customerKey: customerKey('one') };
  const isEncrypted = await store.headObject({ ...ref, ...keyed }).then(
    () => true,
    () => false,
  );
  const more = isEncrypted ? keyed : {};
  const { info } = await store.headObject({ ...ref, ...more, withChecksum: true });
  const { tags } = await store.getObjectTags(ref);
  const acl = await store.getObjectAcl(ref);
  const bytes = await read(more);
  return { ...place, info: { ...info, versionId: '' }, tags, acl, text: bytes.toString() };
}

function policyOf(bucket: string): string {
  const Resource = `arn:aws:s3:::${bucket}/`;
  const anyone = { Principal: '*', Action: ['s3:PutObject', 's3:PutObjectTagging'] };
  return JSON.stringify({
    Statement: [
      { ...anyone, Effect: 'Allow', Resource: `${Resource}b*` },
      { ...anyone, Effect: 'Deny', Resource: `${Resource}denied/*` },
    ],
  });
}

interface Run {
  readonly steps: readonly Step[];
  readonly kind: 'locking' | 'plain' | 'retaining';
}

test('puts have the same results and leave the same versions individually as in bulk writes', async () => {
  const world = await openTestEngine({ quotas: { bucketsPerProject: 10_000 } });
  let buckets = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 8 }),
      fc.constantFrom('locking' as const, 'plain' as const, 'retaining' as const),
      async (steps, kind) => {
        buckets += 1;
        const run = { steps, kind };
        const [one, other] = [`alone-${buckets}`, `bulks-${buckets}`];
        const expected = await history(world, one, { ...run, putAll: alone });
        const found = JSON.stringify(await history(world, other, { ...run, putAll: inBulk }));
        expect(JSON.parse(found.replaceAll(other, one))).toEqual(
          JSON.parse(JSON.stringify(expected)),
        );
      },
    ),
    { numRuns: 60 },
  );
});
