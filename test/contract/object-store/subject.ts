/** The store under test, and helper functions for the contract tests. */

import { createHash, randomUUID } from 'node:crypto';

import { expect, onTestFinished } from 'vitest';

import { defined } from '../../../src/base/defined.ts';
import { bytesBody, collect } from '../../../src/object-store/body.ts';
import type { Body } from '../../../src/object-store/body.ts';
import type { ChangeMonitor } from '../../../src/object-store/change-monitor.ts';
import type { Versioning } from '../../../src/object-store/buckets.ts';
import type {
  ListedVersion,
  ListObjectsRequest,
  ListVersionsRequest,
} from '../../../src/object-store/listing.ts';
import type {
  HeadObjectRequest,
  ObjectStore,
  PutObjectRequest,
  PutObjectResult,
} from '../../../src/object-store/object-store.ts';
import { isStorageError } from '../../../src/object-store/storage-error.ts';
import type { StorageError, StorageErrorCode } from '../../../src/object-store/storage-error.ts';

export const KIB = 1024;
export const MIB = 1024 * KIB;

/**
 * The minimum size of every part of a multipart upload except the last part. Parts of this size are stored in files.
 * Tests of real services set the minimum of the protocol, 5 MiB, because they cannot lower it.
 */
export const MIN_PART_BYTES = Number(process.env['HOLDFAST_TEST_PART_BYTES'] ?? 512 * KIB);

/** Ids of the test users, as owners of objects and as grantees. */
export interface People {
  readonly owner: string;
  readonly stranger: string;
  /** The id of the stranger's project, if the store accepts projects as grantees. */
  readonly strangersProject?: string;
}

/** An open store and what its implementation supports in the contract tests. */
export interface OpenStore {
  readonly people: People;
  /**
   * The store as seen by a user with full access. This user owns the buckets that the tests create.
   */
  readonly store: ObjectStore;
  /**
   * The store as seen by a user of the same project without full access. If missing, tests that need this user are
   * skipped.
   */
  readonly colleague?: ObjectStore;
  /** The store as seen by a user of another project. */
  readonly stranger?: ObjectStore;
  /**
   * Returns another store over the same data, and a monitor of the changes that other stores make. If missing,
   * tests that need the monitor are skipped.
   */
  watched?(): { readonly store: ObjectStore; readonly changes: ChangeMonitor };
  /** The clock of the store in milliseconds since 1970, if the tests can advance it. */
  readonly clock?: { now(): number; advance(ms: number): void };
  /** Whether `close` deletes the store, so that the tests need not remove their buckets. */
  readonly isTemporary?: boolean;
  /** Closes the store and opens another store over the same data. */
  reopen?(): Promise<OpenStore>;
  close(): Promise<void>;
}

/** Holds the currently open store. `reopen` replaces it. */
export class Subject {
  #open: OpenStore | undefined;

  async start(open: () => Promise<OpenStore>): Promise<void> {
    this.#open = await open();
  }

  async stop(): Promise<void> {
    await this.#open?.close();
  }

  get opened(): OpenStore {
    if (!this.#open) throw new Error('use store: it is not open');
    return this.#open;
  }

  get store(): ObjectStore {
    return this.opened.store;
  }

  /** Closes and reopens the store. Returns false if the implementation cannot be reopened. */
  async reopen(): Promise<boolean> {
    const next = await this.opened.reopen?.();
    this.#open = next ?? this.#open;
    return next !== undefined;
  }

  /** Returns the time of the store in milliseconds since 1970. */
  now(): number {
    return this.opened.clock?.now() ?? Date.now();
  }

  /** Creates a bucket, which is removed after the test or with the store. */
  async bucket(versioning?: Versioning): Promise<string> {
    const bucket = newBucketName();
    await this.store.createBucket({ bucket });
    if (!this.opened.isTemporary) onTestFinished(() => removeBucket(this.store, bucket));
    if (versioning) await this.store.putVersioning({ bucket, versioning });
    return bucket;
  }

  /** Creates a bucket with Object Lock. The bucket stays, because locked versions cannot be removed. */
  async lockBucket(): Promise<string> {
    const bucket = newBucketName();
    await this.store.createBucket({ bucket, objectLockEnabled: true });
    return bucket;
  }
}

export function newBucketName(): string {
  return `contract-${randomUUID()}`;
}

/** Removes all versions of the bucket, and then the bucket, if the bucket exists. */
export async function removeBucket(store: ObjectStore, bucket: string): Promise<void> {
  try {
    const versions = await allVersions(store, { bucket });
    await Promise.all(
      versions.map(({ key, versionId }) => store.deleteObject({ bucket, key, versionId })),
    );
    await store.deleteBucket({ bucket });
  } catch (error) {
    if (!isStorageError(error, 'NoSuchBucket')) throw error;
  }
}

/** Puts an object with a text, bytes or any body. */
export function put(
  store: ObjectStore,
  ref: { bucket: string; key: string },
  content: string | Uint8Array | Body,
  more: Omit<PutObjectRequest, 'bucket' | 'key' | 'body'> = {},
): Promise<PutObjectResult> {
  const body = typeof content === 'object' && 'open' in content ? content : bytesBody(content);
  return store.putObject({ ...ref, body, ...more });
}

/** Puts an object into a bucket with versioning and returns the id of the new version. */
export async function putVersion(
  store: ObjectStore,
  ref: { bucket: string; key: string },
  content: string,
  more: Omit<PutObjectRequest, 'bucket' | 'key' | 'body'> = {},
): Promise<string> {
  const { versionId } = await put(store, ref, content, more);
  expect(versionId).toBeTypeOf('string');
  return String(versionId);
}

export async function read(store: ObjectStore, request: HeadObjectRequest): Promise<Buffer> {
  const { body } = await store.getObject(request);
  return Buffer.from(await collect(body, 32 * MIB));
}

export async function readText(store: ObjectStore, request: HeadObjectRequest): Promise<string> {
  return (await read(store, request)).toString();
}

/** Returns the keys and common prefixes of all pages in order, and the number of pages. */
export async function listAll(
  store: ObjectStore,
  request: ListObjectsRequest,
): Promise<{ keys: string[]; prefixes: string[]; pages: number }> {
  const [keys, prefixes]: [string[], string[]] = [[], []];
  let continuationToken: string | undefined;
  let pages = 0;
  do {
    const page = await store.listObjects({ ...request, ...defined({ continuationToken }) });
    keys.push(...page.objects.map(({ key }) => key));
    prefixes.push(...page.commonPrefixes);
    continuationToken = page.nextToken;
    pages += 1;
    // An endless listing must fail the test instead of blocking it.
    if (pages > 100) throw new Error('list objects: more than 100 pages');
  } while (continuationToken !== undefined);
  return { keys, prefixes, pages };
}

export async function allVersions(
  store: ObjectStore,
  request: ListVersionsRequest,
): Promise<ListedVersion[]> {
  const versions: ListedVersion[] = [];
  let next: { keyMarker?: string; versionIdMarker?: string } | undefined = {};
  for (let pages = 0; next; pages++) {
    if (pages > 100) throw new Error('list versions: more than 100 pages');
    const page = await store.listVersions({ ...request, ...next });
    versions.push(...page.versions);
    next = page.next;
  }
  return versions;
}

/** Expects that `attempt` rejects with one of the error codes, and returns the error. */
export async function expectRefusal(
  attempt: Promise<unknown>,
  ...codes: [StorageErrorCode, ...StorageErrorCode[]]
): Promise<StorageError> {
  const error = await attempt.then(
    () => new Error(`expected ${codes.join(' or ')}, but it resolved`),
    (reason: unknown) => reason,
  );
  if (!isStorageError(error, ...codes)) throw error;
  return error;
}

/** Expects that the bucket has no object, no version and no multipart upload. */
export async function expectNoTrace(store: ObjectStore, bucket: string): Promise<void> {
  expect(await allVersions(store, { bucket })).toEqual([]);
  expect((await store.listObjects({ bucket })).objects).toEqual([]);
  expect((await store.listUploads({ bucket })).uploads).toEqual([]);
}

export function md5(bytes: Uint8Array | string): string {
  return createHash('md5').update(bytes).digest('hex');
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const noises = new Map<number, Buffer>();

/**
 * Returns pseudorandom bytes, so that a misplaced segment is noticed. Equal sizes return the same buffer, which the
 * caller must not change.
 */
export function noise(sizeBytes: number): Buffer {
  const bytes = noises.get(sizeBytes) ?? makeNoise(sizeBytes);
  noises.set(sizeBytes, bytes);
  return bytes;
}

function makeNoise(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  let state = sizeBytes + 1;
  for (let index = 0; index < sizeBytes; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[index] = state >>> 16;
  }
  return bytes;
}

/**
 * Returns a body that streams `bytes` once in chunks of 10,007 bytes. Its size is not stated unless `more` contains it.
 */
export function streamBody(bytes: Uint8Array, more: Partial<Body> = {}): Body {
  return {
    replayable: false,
    ...more,
    async *open() {
      const step = 10_007;
      for (let at = 0; at < bytes.byteLength; at += step) yield bytes.subarray(at, at + step);
    },
  };
}
