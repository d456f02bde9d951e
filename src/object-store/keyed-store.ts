/**
 * A store whose objects are encrypted under one key of the customer's, as far as whoever uses it knows nothing of that:
 * it is given with each call. What lies there in clear, or under an earlier key, is read all the same.
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

/** The one that is written with, and those that were. */
export interface KeyRing {
  readonly key: CustomerKey;
  /** The latest first. */
  readonly earlier?: readonly CustomerKey[];
}

export interface KeyedStoreOptions extends KeyRing {
  /** Keys of objects that are in clear: who has no key must be able to read them. */
  readonly isClear: (objectKey: string) => boolean;
}

/** Calls that name a key of their own are passed on as they are. */
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

  /** A part has the key of its upload, which may have been begun before the current one. */
  override uploadPart(request: UploadPartRequest, options?: CallOptions) {
    const send = (keyed: UploadPartRequest) => this.store.uploadPart(keyed, options);
    const isOurs = request.customerKey === undefined && !this.#isClear(request.key);
    if (!isOurs || !request.body.replayable) return send(this.#write(request));
    const by = (customerKey: CustomerKey) => () => send({ ...request, customerKey });
    return opened([by(this.#key), ...this.#earlier.map(by)]);
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
    return opened([by(this.#key), ...this.#earlier.map(by)], () => send(target));
  }

  #read<R extends Keyed, T>(request: R, send: (request: R) => Promise<T>): Promise<T> {
    if (request.customerKey !== undefined || this.#isClear(request.key)) return send(request);
    const by = (customerKey: CustomerKey) => () => send({ ...request, customerKey });
    return opened([by(this.#key), ...this.#earlier.map(by)], () => send(request));
  }
}

interface Keyed {
  readonly key: string;
  readonly customerKey?: CustomerKey;
}

/**
 * By whichever key opens it. One for what is in clear is refused, another one than the object's is a right that is lacking:
 * nothing was done then. Where all are refused, the first refusal is told; where something else fails, that.
 */
async function opened<T>(
  [current, ...earlier]: readonly [Attempt<T>, ...Attempt<T>[]],
  clear?: Attempt<T>,
): Promise<T> {
  const first = await tried(current);
  if ('value' in first) return first.value;
  const mayBeClear = clear && isStorageError(first.refusal, ...NOT_THE_KEY);
  for (const attempt of mayBeClear ? [clear, ...earlier] : earlier) {
    const next = await tried(attempt);
    if ('value' in next) return next.value;
  }
  throw first.refusal;
}

type Attempt<T> = () => Promise<T>;

/** In clear, most often; services name it so in several ways, and some another key, too. */
const NOT_THE_KEY = ['InvalidRequest', 'InvalidArgument'] as const;

async function tried<T>(
  attempt: Attempt<T>,
): Promise<{ readonly value: T } | { readonly refusal: unknown }> {
  try {
    return { value: await attempt() };
  } catch (error) {
    if (isStorageError(error, 'AccessDenied', ...NOT_THE_KEY)) return { refusal: error };
    throw error;
  }
}
