/**
 * Implements the conditional-write fallback. A condition that the service honours is sent with the write. For any other
 * condition, the current version is read just before the write. If another client writes in between, the job detects
 * that afterwards (prove-outcome.ts).
 */

import { defined } from '../../base/defined.ts';
import { ForwardingStore, type MirrorStore } from '../../object-store/mirror-store.ts';
import type { CompleteUploadRequest } from '../../object-store/multipart.ts';
import type {
  CallOptions,
  CopyObjectRequest,
  DeleteObjectRequest,
  PutObjectRequest,
  WriteConditions,
} from '../../object-store/object-store.ts';
import { isStorageError, StorageError } from '../../object-store/storage-error.ts';
import type { Destination } from '../objects/destination.ts';
import type { MirrorJob } from '../model/types.ts';
import { type Answer, answerOf, isEvaluated, type WriteKind } from './capabilities.ts';
import type { ConditionalWrites } from './conditional-writes.ts';

interface Target {
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string;
}

type Guards = Pick<ConditionalWrites, 'capabilities' | 'mayCopyUnguarded'>;

type DestinationOfJob = Pick<MirrorJob, 'bucket' | 'partSizes' | 'prefix' | 'verifyUploads'>;

export function guardedDestination(
  { job, store }: { readonly job: DestinationOfJob; readonly store: MirrorStore },
  guards: ConditionalWrites,
): Destination {
  const { bucket, prefix, partSizes, verifyUploads: verifiesUploads = false } = job;
  const guarded = new GuardedStore(store, guards);
  return { store: guarded, bucket, prefix, verifiesUploads, ...defined({ partSizes }) };
}

/**
 * A store with the conditional-write fallback. If a write's condition is not met, the write rejects with
 * PreconditionFailed or NoSuchKey.
 */
export class GuardedStore extends ForwardingStore {
  readonly #guards: Guards;

  constructor(store: MirrorStore, guards: Guards) {
    super(store);
    this.#guards = guards;
  }

  override putObject(request: PutObjectRequest, options?: CallOptions) {
    return this.#send('put', request, options, (guarded) => this.store.putObject(guarded, options));
  }

  /**
   * The store's bulk writer. Undefined if the fallback must change a condition or read the current version before a
   * write.
   */
  override get bulkWriter() {
    const { ifMatch, ifNoneMatch } = this.#guards.capabilities.put;
    const asSent = ifMatch === 'honoured' && ifNoneMatch === 'honoured';
    return asSent ? super.bulkWriter : undefined;
  }

  override copyObject(request: CopyObjectRequest, options?: CallOptions) {
    return this.#send('copy', request, options, (guarded) =>
      this.store.copyObject(guarded, options),
    );
  }

  override completeUpload(request: CompleteUploadRequest, options?: CallOptions) {
    return this.#send('complete', request, options, (guarded) =>
      this.store.completeUpload(guarded, options),
    );
  }

  override deleteObject(request: DeleteObjectRequest, options?: CallOptions) {
    return this.#send('delete', request, options, (guarded) =>
      this.store.deleteObject(guarded, options),
    );
  }

  async #send<R extends Target & { readonly conditions?: WriteConditions }, T>(
    write: WriteKind,
    request: R,
    options: CallOptions | undefined,
    send: (request: R) => Promise<T>,
  ): Promise<T> {
    const { conditions, ...bare } = request;
    const answer = conditions && this.#answerTo(write, conditions);
    if (conditions === undefined || answer === undefined) return send(request);
    if (answer === 'unquoted')
      return send({ ...request, conditions: { ...conditions, isUnquoted: true } });
    if (write === 'copy' && !this.#guards.mayCopyUnguarded()) throw noConditionalCopy();
    await this.#checkCurrent(request, conditions, options);
    return send(bare as R);
  }

  /** Returns how the service handles the condition; undefined if it honours the condition as sent. */
  #answerTo(write: WriteKind, { ifMatch }: WriteConditions): Answer | undefined {
    const condition = ifMatch === undefined ? 'ifNoneMatch' : 'ifMatch';
    const answer = answerOf(this.#guards.capabilities, write, condition);
    return answer === 'unquoted' || !isEvaluated(answer) ? answer : undefined;
  }

  async #checkCurrent(
    { bucket, key, versionId }: Target,
    { ifMatch }: WriteConditions,
    options: CallOptions | undefined,
  ): Promise<void> {
    // Deleting a version by its id needs no check, because versions are immutable.
    if (versionId !== undefined) return;
    const etag = await this.#etagOf({ bucket, key }, options);
    const isExpected = ifMatch === '*' ? etag !== undefined : etag === ifMatch;
    if (!isExpected)
      throw new StorageError(
        'PreconditionFailed',
        `cannot write ${key}: its current version is not the expected one`,
      );
  }

  async #etagOf(target: Target, options: CallOptions | undefined): Promise<string | undefined> {
    try {
      return (await this.store.headObject(target, options)).info.etag;
    } catch (error) {
      if (isStorageError(error, 'NoSuchKey')) return undefined;
      throw error;
    }
  }
}

/**
 * Returns the error for a copy that cannot be sent as a conditional write. The caller then uploads the content instead.
 */
function noConditionalCopy(): StorageError {
  return new StorageError(
    'NotImplemented',
    'cannot copy the object: the service does not support conditional copies, and the bucket has no versioning',
  );
}
