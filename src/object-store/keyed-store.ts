/**
 * Wraps a job's store so that objects are encrypted with one customer key. The wrapper adds the key to each call, so
 * that the job need not handle encryption. It can also read objects that are unencrypted or encrypted with an earlier
 * key.
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

/** The customer key for writes, and the earlier keys for reads. */
export interface KeyRing {
  readonly key: CustomerKey;
  /** The earlier keys, newest first. */
  readonly earlier?: readonly CustomerKey[];
}

export interface KeyedStoreOptions extends KeyRing {
  /**
   * Returns true for keys of objects that are never encrypted, because clients without the customer key must read them.
   */
  readonly isClear: (objectKey: string) => boolean;
}

/**
 * Adds the customer key to each call for an object that must be encrypted. Does not replace a customer key that a call
 * already contains.
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
   * Uploads a part with the key of its multipart upload, which can be an earlier key. If the body can be read only
   * once, the part is sent only with the current key.
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
 * Tries the call with the current key, then without a key if the object may be unencrypted, and then with each earlier
 * key. Returns the first result. A service rejects a customer key for an unencrypted object, and rejects a wrong key
 * with `AccessDenied`; a rejected attempt changes nothing. If all attempts are rejected, throws the first rejection.
 * Throws any other error at once.
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

/**
 * The errors that services return for a request with a customer key if the object is unencrypted. Some services also
 * return them for a wrong key.
 */
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
