/**
 * Defines a decorator of a job's store that encrypts objects with one customer-provided key. It adds the key to each call,
 * so that its callers need not know about encryption. It also reads objects that are unencrypted or have an earlier key.
 */

import type { BulkWriter, PutObjectsRequest } from './bulk-write.ts';
import type { CopyPartRequest } from './copy-part.ts';
import type { CustomerKey } from './customer-key.ts';
import { ForwardingStore, type MirrorStore } from './mirror-store.ts';
import type { CreateUploadRequest, UploadPartRequest } from './multipart.ts';
import type {
  CallOptions,
  CopyObjectRequest,
  HeadObjectRequest,
  PutObjectRequest,
  ReadOptions,
} from './object-store.ts';
import { isStorageError } from './storage-error.ts';

/** The key for writes, and the earlier keys for reads. */
export interface KeyRing {
  readonly key: CustomerKey;
  /** Newest first. */
  readonly earlier?: readonly CustomerKey[];
}

export interface KeyedStoreOptions extends KeyRing {
  /** Returns true for object keys that are never encrypted, because clients without the customer key must read them. */
  readonly isClear: (objectKey: string) => boolean;
}

/**
 * Adds the customer key to each call for an object that must be encrypted. A customer key that a call already has is not
 * replaced.
 */
export class KeyedStore extends ForwardingStore {
  readonly #key: CustomerKey;
  readonly #earlier: readonly CustomerKey[];
  readonly #isClear: (objectKey: string) => boolean;

  constructor(store: MirrorStore, { key, earlier = [], isClear }: KeyedStoreOptions) {
    super(store);
    this.#key = key;
    this.#earlier = earlier;
    this.#isClear = isClear;
  }

  override headObject(request: HeadObjectRequest, options?: CallOptions) {
    return this.#read(request, (keyed) => this.store.headObject(keyed, options));
  }

  override getObject(request: HeadObjectRequest, options?: ReadOptions) {
    return this.#read(request, (keyed) => this.store.getObject(keyed, options));
  }

  override putObject(request: PutObjectRequest, options?: CallOptions) {
    return this.store.putObject(this.#write(request), options);
  }

  protected override putInBulk(
    inner: BulkWriter,
    { bucket, objects }: PutObjectsRequest,
    options?: CallOptions,
  ) {
    const keyed = objects.map((object) => this.#write(object));
    return inner.putObjects({ bucket, objects: keyed }, options);
  }

  override copyObject(request: CopyObjectRequest, options?: CallOptions) {
    return this.#copy(request, (keyed) => this.store.copyObject(keyed, options));
  }

  override copyPart(request: CopyPartRequest, options?: CallOptions) {
    return this.#copy(request, (keyed) => this.store.copyPart(keyed, options));
  }

  override createUpload(request: CreateUploadRequest, options?: CallOptions) {
    return this.store.createUpload(this.#write(request), options);
  }

  /**
   * Uploads the part with the key of its upload, which may be an earlier key. A body that is not replayable is sent only
   * once, with the current key.
   */
  override uploadPart(request: UploadPartRequest, options?: CallOptions) {
    const send = (keyed: UploadPartRequest) => this.store.uploadPart(keyed, options);
    const isOurs = request.customerKey === undefined && !this.#isClear(request.key);
    if (!isOurs || !request.body.replayable) return send(this.#write(request));
    const by = (customerKey: CustomerKey) => () => send({ ...request, customerKey });
    return tryKeys([by(this.#key), ...this.#earlier.map(by)]);
  }

  #write<R extends Keyed>(request: R): R {
    return this.#isClear(request.key) ? request : { customerKey: this.#key, ...request };
  }

  #copy<R extends CopyObjectRequest | CopyPartRequest, T>(
    request: R,
    send: (request: R) => Promise<T>,
  ): Promise<T> {
    const target = this.#write(request);
    if (request.sourceCustomerKey !== undefined || this.#isClear(request.source.key))
      return send(target);
    const by = (sourceCustomerKey: CustomerKey) => () => send({ ...target, sourceCustomerKey });
    return tryKeys([by(this.#key), ...this.#earlier.map(by)], () => send(target));
  }

  #read<R extends Keyed, T>(request: R, send: (request: R) => Promise<T>): Promise<T> {
    if (request.customerKey !== undefined || this.#isClear(request.key)) return send(request);
    const by = (customerKey: CustomerKey) => () => send({ ...request, customerKey });
    return tryKeys([by(this.#key), ...this.#earlier.map(by)], () => send(request));
  }
}

interface Keyed {
  readonly key: string;
  readonly customerKey?: CustomerKey;
}

/**
 * Tries the current key, then no key if the object may be unencrypted, then the earlier keys, and returns the first result.
 * A service rejects a key for an unencrypted object, and it rejects a wrong key with `AccessDenied`; neither has an effect.
 * If all attempts are rejected, throws the first rejection. Any other error is thrown at once.
 */
async function tryKeys<T>(
  [current, ...earlier]: readonly [Attempt<T>, ...Attempt<T>[]],
  unencrypted?: Attempt<T>,
): Promise<T> {
  const first = await tryKey(current);
  if ('value' in first) return first.value;
  const mayBeUnencrypted = unencrypted && isStorageError(first.rejection, ...KEY_REJECTED);
  for (const attempt of mayBeUnencrypted ? [unencrypted, ...earlier] : earlier) {
    const next = await tryKey(attempt);
    if ('value' in next) return next.value;
  }
  throw first.rejection;
}

type Attempt<T> = () => Promise<T>;

/** Services return one of these if the object is unencrypted. Some also return them for a wrong key. */
const KEY_REJECTED = ['InvalidRequest', 'InvalidArgument'] as const;

async function tryKey<T>(
  attempt: Attempt<T>,
): Promise<{ readonly value: T } | { readonly rejection: unknown }> {
  try {
    return { value: await attempt() };
  } catch (error) {
    if (isStorageError(error, 'AccessDenied', ...KEY_REJECTED)) return { rejection: error };
    throw error;
  }
}
