/**
 * A store whose objects are encrypted under one key of the customer's, as far as whoever uses it knows nothing of that:
 * it is given with each call. What lies there in clear is read all the same.
 */

import type { CopyPartRequest } from './copy-part.ts';
import type { CustomerKey } from './customer-key.ts';
import type { CopyObjectRequest, ObjectStore } from './object-store.ts';
import { isStorageError } from './storage-error.ts';

export interface KeyedStoreOptions {
  readonly key: CustomerKey;
  /** Keys of objects that are in clear: who has no key must be able to read them. */
  readonly isClear: (objectKey: string) => boolean;
}

/** Calls that name a key of their own are passed on as they are. */
export function keyedStore(store: ObjectStore, { key, isClear }: KeyedStoreOptions): ObjectStore {
  const write = <R extends Keyed>(request: R): R =>
    isClear(request.key) ? request : { customerKey: key, ...request };
  const read = <R extends Keyed, T>(request: R, send: (request: R) => Promise<T>): Promise<T> => {
    if (request.customerKey !== undefined || isClear(request.key)) return send(request);
    return unlessClear(
      () => send({ ...request, customerKey: key }),
      () => send(request),
    );
  };
  const copy = <R extends CopyObjectRequest | CopyPartRequest, T>(
    request: R,
    send: (request: R) => Promise<T>,
  ): Promise<T> => {
    const target = write(request);
    if (request.sourceCustomerKey !== undefined || isClear(request.source.key)) return send(target);
    return unlessClear(
      () => send({ ...target, sourceCustomerKey: key }),
      () => send(target),
    );
  };
  const methods: Partial<ObjectStore> = {
    headObject: (request, options) => read(request, (keyed) => store.headObject(keyed, options)),
    getObject: (request, options) => read(request, (keyed) => store.getObject(keyed, options)),
    getObjectAttributes: (request, options) =>
      read(request, (keyed) => store.getObjectAttributes(keyed, options)),
    putObject: (request, options) => store.putObject(write(request), options),
    createUpload: (request, options) => store.createUpload(write(request), options),
    uploadPart: (request, options) => store.uploadPart(write(request), options),
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

/** A key for what is in clear is refused, and nothing was done. Where it was refused for another reason, that is told. */
async function unlessClear<T>(keyed: () => Promise<T>, clear: () => Promise<T>): Promise<T> {
  try {
    return await keyed();
  } catch (error) {
    if (!isStorageError(error, 'InvalidRequest', 'InvalidArgument')) throw error;
    return clear().catch((second: unknown) => {
      throw isStorageError(second, 'InvalidRequest', 'InvalidArgument') ? error : second;
    });
  }
}
