/** The store under test, and the short words in which the claims about it are written. */

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

/** By which ids those for whom the stores act are owners and grantees. */
export interface People {
  readonly owner: string;
  readonly stranger: string;
  /** Of the stranger, where a project may be a grantee. */
  readonly strangersProject?: string;
}

/** What an implementation hands to the suite. */
export interface OpenStore {
  readonly people: People;
  /** Acts for a user with full access, who owns the buckets that the tests make. */
  readonly store: ObjectStore;
  /** Another user of the same project, without full access; without it, its claims are left out. */
  readonly colleague?: ObjectStore;
  /** A user of another project. */
  readonly stranger?: ObjectStore;
  /** Another store of the same data, and the monitor of changes that are not made through it; without it, its claims are left out. */
  watched?(): { readonly store: ObjectStore; readonly changes: ChangeMonitor };
  /** The store's clock, when the test may move it. */
  readonly clock?: { now(): number; advance(ms: number): void };
  /** Closes the store and opens another over the same data. */
  reopen?(): Promise<OpenStore>;
  close(): Promise<void>;
}

/** The one that is open at the moment: set before the first test, and by `reopen`. */
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

  /** False when the implementation cannot do it. */
  async reopen(): Promise<boolean> {
    const next = await this.opened.reopen?.();
    this.#open = next ?? this.#open;
    return next !== undefined;
  }

  /** Milliseconds since 1970, by the store's clock. */
  now(): number {
    return this.opened.clock?.now() ?? Date.now();
  }

  /** A new bucket, removed after the test. */
  async bucket(versioning?: Versioning): Promise<string> {
    const bucket = newBucketName();
    await this.store.createBucket({ bucket });
    onTestFinished(() => removeBucket(this.store, bucket));
    if (versioning) await this.store.putVersioning({ bucket, versioning });
    return bucket;
  }

  /** A new bucket with object lock. It stays: what is locked in it cannot be removed. */
  async lockBucket(): Promise<string> {
    const bucket = newBucketName();
    await this.store.createBucket({ bucket, objectLockEnabled: true });
    return bucket;
  }
}

export function newBucketName(): string {
  return `contract-${randomUUID()}`;
}

/** Removes every version of the bucket, then the bucket, if it is still there. */
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

/** A put of a text, or of any body. */
export function put(
  store: ObjectStore,
  ref: { bucket: string; key: string },
  content: string | Uint8Array | Body,
  more: Omit<PutObjectRequest, 'bucket' | 'key' | 'body'> = {},
): Promise<PutObjectResult> {
  const body = typeof content === 'object' && 'open' in content ? content : bytesBody(content);
  return store.putObject({ ...ref, body, ...more });
}

/** A put in a bucket with versioning: the new version's id. */
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

/** All keys and common prefixes of all pages, in their order, and how many pages there were. */
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
    // An endless listing is a failure to be seen, not a test that hangs.
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

/** The error with this code that `attempt` must be refused with. */
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

/** That nothing is left of a write that did not succeed: no object, no version, no upload. */
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

/** Bytes without a pattern that a misplaced segment could hide in; the same for the same size. */
export function noise(sizeBytes: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  let state = sizeBytes + 1;
  for (let index = 0; index < sizeBytes; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[index] = state >>> 16;
  }
  return bytes;
}

/** `bytes` in pieces that fit to no border, without telling the size, and only once. */
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
