/**
 * A store whose objects are encrypted under one key of the customer's, as far as whoever uses it knows nothing of that:
 * it is given with each call. What lies there in clear, or under an earlier key, is read all the same.
 */

import type { CopyPartRequest } from './copy-part.ts';
import type { CustomerKey } from './customer-key.ts';
import type { UploadPartRequest } from './multipart.ts';
import type { CopyObjectRequest, ObjectStore } from './object-store.ts';
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
export function keyedStore(
  store: ObjectStore,
  { key, earlier = [], isClear }: KeyedStoreOptions,
): ObjectStore {
  const write = <R extends Keyed>(request: R): R =>
    isClear(request.key) ? request : { customerKey: key, ...request };
  const read = <R extends Keyed, T>(request: R, send: (request: R) => Promise<T>): Promise<T> => {
    if (request.customerKey !== undefined || isClear(request.key)) return send(request);
    const by = (customerKey: CustomerKey) => () => send({ ...request, customerKey });
    return opened([by(key), ...earlier.map(by)], () => send(request));
  };
  const copy = <R extends CopyObjectRequest | CopyPartRequest, T>(
    request: R,
    send: (request: R) => Promise<T>,
  ): Promise<T> => {
    const target = write(request);
    if (request.sourceCustomerKey !== undefined || isClear(request.source.key)) return send(target);
    const by = (sourceCustomerKey: CustomerKey) => () => send({ ...target, sourceCustomerKey });
    return opened([by(key), ...earlier.map(by)], () => send(target));
  };
  // A part has the key of its upload, which may have been begun before the current one.
  const writePart = <T>(
    request: UploadPartRequest,
    send: (request: UploadPartRequest) => Promise<T>,
  ): Promise<T> => {
    const isOurs = request.customerKey === undefined && !isClear(request.key);
    if (!isOurs || !request.body.replayable) return send(write(request));
    const by = (customerKey: CustomerKey) => () => send({ ...request, customerKey });
    return opened([by(key), ...earlier.map(by)]);
  };
  const methods: Partial<ObjectStore> = {
    headObject: (request, options) => read(request, (keyed) => store.headObject(keyed, options)),
    getObject: (request, options) => read(request, (keyed) => store.getObject(keyed, options)),
    getObjectAttributes: (request, options) =>
      read(request, (keyed) => store.getObjectAttributes(keyed, options)),
    putObject: (request, options) => store.putObject(write(request), options),
    createUpload: (request, options) => store.createUpload(write(request), options),
    uploadPart: (request, options) => writePart(request, (part) => store.uploadPart(part, options)),
    copyObject: (request, options) => copy(request, (keyed) => store.copyObject(keyed, options)),
    copyPart: (request, options) => copy(request, (keyed) => store.copyPart(keyed, options)),
  };
  return new Proxy(store, {
    get(target, name) {
      const method = name as keyof ObjectStore;
      return methods[method] ?? (target[method] as () => unknown).bind(target);
    },
  });
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
