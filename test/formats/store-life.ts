/**
 * Creates a small store with an example of each feature that its format supports, and reads all versions
 * in it.
 */

import { createHash } from 'node:crypto';

import { defined } from '../../src/base/defined.ts';
import { DAY_MS } from '../../src/base/durations.ts';
import type { UserPrincipal } from '../../src/base/principal.ts';
import { bytesBody, collect } from '../../src/object-store/body.ts';
import type { CustomerKey } from '../../src/object-store/customer-key.ts';
import type { ListedVersion } from '../../src/object-store/listing.ts';
import type { ObjectInfo, ObjectStore } from '../../src/object-store/object-store.ts';

export const STORE_USER: UserPrincipal = {
  kind: 'user',
  project: 'project',
  user: 'user',
  customer: 'customer',
  fullAccess: true,
};

/** The bucket whose objects are encrypted with a customer key. */
export const KEYED_BUCKET = 'keyed';
/** The multipart upload that is never completed. */
export const UNFINISHED = { bucket: 'plain', key: 'unfinished' };
const LARGE_BYTES = 100_000;
const FIRST_PART_BYTES = 5 * 1024 ** 2;

/** The fields of a version that every release returns. */
type VersionInfo = Pick<
  ObjectInfo,
  'contentType' | 'etag' | 'legalHold' | 'metadata' | 'retention' | 'sizeBytes'
>;

export interface DescribedVersion extends VersionInfo {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string;
  readonly isLatest: boolean;
  readonly lastModifiedAt: number;
  /** The SHA-256 of the content. Undefined for a delete marker. */
  readonly sha256?: string;
}

/** Returns repeated text. It compresses well, so the fixture stays small. */
export function largeBytes(sizeBytes: number, what: string): Buffer {
  return Buffer.alloc(sizeBytes, `${what}, and so on; `);
}

/** The store to fill. `customerKey` is undefined if the store does not support SSE-C. */
export interface StoreLife {
  readonly store: ObjectStore;
  readonly now: number;
  readonly customerKey?: CustomerKey | undefined;
}

export async function liveInStore({ store, now, customerKey }: StoreLife): Promise<void> {
  await plainBucket(store);
  await versions(store);
  await locks(store, now);
  await uploads(store);
  // The code skips features that the store of an older checkout does not have.
  if ('putRetention' in store) await laterLocks(store, now);
  if ('putObjectTags' in store) await descriptions(store);
  if ('putBucketPolicy' in store) await rights(store);
  if (customerKey) await keyed(store, customerKey);
}

const put = (store: ObjectStore, bucket: string, key: string, content: Buffer | string) =>
  store.putObject({ bucket, key, body: bytesBody(content) });

async function plainBucket(store: ObjectStore): Promise<void> {
  const bucket = 'plain';
  await store.createBucket({ bucket });
  await put(store, bucket, 'empty', '');
  await put(store, bucket, 'small', 'the first');
  await put(store, bucket, 'small', 'the second');
  await put(store, bucket, 'large', largeBytes(LARGE_BYTES, 'replaced'));
  await put(store, bucket, 'large', largeBytes(LARGE_BYTES, 'large'));
  await store.copyObject({ source: { bucket, key: 'large' }, bucket, key: 'copy of large' });
  const attributes = { contentType: 'text/plain', metadata: { colour: 'green' } };
  await store.putObject({ bucket, key: 'described/ä', body: bytesBody('x'), attributes });
}

async function versions(store: ObjectStore): Promise<void> {
  const bucket = 'versions';
  await store.createBucket({ bucket });
  await put(store, bucket, 'file', 'from before there were versions');
  await store.putVersioning({ bucket, versioning: 'Enabled' });
  await put(store, bucket, 'file', 'one');
  await store.deleteObject({ bucket, key: 'file' });
  await put(store, bucket, 'file', largeBytes(LARGE_BYTES, 'two'));
  await put(store, bucket, 'gone', 'hidden');
  await store.deleteObject({ bucket, key: 'gone' });
  await store.putVersioning({ bucket, versioning: 'Suspended' });
  await put(store, bucket, 'paused', 'null');
  await store.putVersioning({ bucket, versioning: 'Enabled' });
  await put(store, bucket, 'paused', 'again');
}

async function locks(store: ObjectStore, now: number): Promise<void> {
  const bucket = 'locked';
  await store.createBucket({ bucket, objectLockEnabled: true });
  const retainUntil = now + 30 * DAY_MS;
  const all = {
    governance: { retention: { mode: 'GOVERNANCE', retainUntil } },
    compliance: { retention: { mode: 'COMPLIANCE', retainUntil } },
    'short-lived': { retention: { mode: 'COMPLIANCE', retainUntil: now + DAY_MS } },
    held: { legalHold: true },
    both: { retention: { mode: 'COMPLIANCE', retainUntil }, legalHold: true },
  } as const;
  for (const [key, lock] of Object.entries(all)) {
    await store.putObject({ bucket, key, body: bytesBody(`${key} and kept`), lock });
  }
  await put(store, bucket, 'compliance', 'a newer version, without a lock');
  await store.deleteObject({ bucket, key: 'held' });
  const lock = all.compliance;
  const body = bytesBody(largeBytes(LARGE_BYTES, 'locked'));
  await store.putObject({ bucket, key: 'large', body, lock });
}

async function uploads(store: ObjectStore): Promise<void> {
  const ref = { bucket: 'versions', key: 'in parts' };
  const { uploadId } = await store.createUpload(ref);
  const contents = [largeBytes(FIRST_PART_BYTES, 'part 1'), Buffer.from('and part 2')];
  const parts = [];
  for (const [index, content] of contents.entries()) {
    const body = bytesBody(content);
    const part = { ...ref, uploadId, partNumber: index + 1, body };
    parts.push({ partNumber: index + 1, etag: (await store.uploadPart(part)).etag });
  }
  await store.completeUpload({ ...ref, uploadId, parts });
  const begun = { ...UNFINISHED, ...(await store.createUpload(UNFINISHED)) };
  await store.uploadPart({ ...begun, partNumber: 1, body: bytesBody('one part') });
}

async function laterLocks(store: ObjectStore, now: number): Promise<void> {
  const bucket = 'defaults';
  await store.createBucket({ bucket, objectLockEnabled: true });
  await put(store, bucket, 'before', 'without');
  const defaultRetention = { mode: 'GOVERNANCE', days: 10 } as const;
  await store.putObjectLockConfiguration({ bucket, defaultRetention });
  await put(store, bucket, 'since', 'with the default of the bucket');
  const retention = { mode: 'GOVERNANCE', retainUntil: now + 20 * DAY_MS } as const;
  await store.putRetention({ bucket, key: 'since', retention });
  await store.putLegalHold({ bucket, key: 'before', legalHold: true });
  await store.putLegalHold({ bucket, key: 'before', legalHold: false });
}

async function descriptions(store: ObjectStore): Promise<void> {
  const tags = [{ key: 'site', value: 'north' }];
  await store.putObjectTags({ bucket: 'plain', key: 'small', tags });
  await store.putBucketTags({ bucket: 'plain', tags });
}

async function rights(store: ObjectStore): Promise<void> {
  const filter = { prefix: 'old/' };
  const rule = { id: 'old', enabled: true, filter, expiration: { days: 30 } };
  await store.putLifecycle({ bucket: 'plain', rules: [rule] });
  await store.putObjectAcl({ bucket: 'plain', key: 'small', acl: { canned: 'public-read' } });
}

async function keyed(store: ObjectStore, customerKey: CustomerKey): Promise<void> {
  const bucket = KEYED_BUCKET;
  await store.createBucket({ bucket });
  await store.putObject({ bucket, key: 'small', body: bytesBody('a secret'), customerKey });
}

/**
 * Returns all versions, newest first for each key, in a form that does not depend on the release.
 */
export async function describeVersions(
  store: ObjectStore,
  customerKey: CustomerKey | undefined,
): Promise<DescribedVersion[]> {
  const contents: DescribedVersion[] = [];
  for (const { name: bucket } of await store.listBuckets()) {
    const { versions: listed } = await store.listVersions({ bucket });
    const key = bucket === KEYED_BUCKET ? customerKey : undefined;
    for (const version of listed)
      contents.push(await describeVersion(store, { bucket, ...version }, key));
  }
  return contents;
}

async function describeVersion(
  store: ObjectStore,
  { bucket, kind, key, versionId, isLatest, lastModifiedAt, sizeBytes, etag }: Listed,
  customerKey: CustomerKey | undefined,
): Promise<DescribedVersion> {
  const listed = { bucket, key, versionId, isLatest, lastModifiedAt, sizeBytes, etag };
  if (kind === 'delete-marker') return listed;
  const ref = { bucket, key, versionId };
  const { info, body } = await store.getObject(defined({ ...ref, customerKey }));
  const sha256 = createHash('sha256').update(await collect(body, 2 * FIRST_PART_BYTES));
  const { contentType, metadata, retention, legalHold = false } = info;
  // Omits undefined fields, because a fixture in JSON cannot contain them.
  const facts = defined({ contentType, metadata, retention });
  return { ...listed, ...facts, legalHold, sha256: sha256.digest('hex') };
}

type Listed = ListedVersion & { readonly bucket: string };
