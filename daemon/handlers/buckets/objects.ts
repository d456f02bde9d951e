/** Implements the control methods that copy, rename, tag and describe objects and buckets. */

import type { Clock } from '../../../src/base/clock.ts';
import { defined } from '../../../src/base/defined.ts';
import type { Logger } from '../../../src/base/logger.ts';
import type { Params, Result } from '../../../src/control/messages.ts';
import { changedAttributes, changedTags } from '../../../src/object-store/changes.ts';
import { copyWithAcl } from '../../../src/object-store/copy-with-acl.ts';
import {
  copyWhole,
  statedAttributes,
  type WholeCopyOptions,
} from '../../../src/object-store/copy-whole.ts';
import { movePrefix, type PrefixMove } from '../../../src/object-store/move-prefix.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { type ObjectLocation, renameObject } from '../../../src/object-store/rename.ts';
import { checkKey } from '../../../src/object-store/rules/naming.ts';
import { isStorageError, StorageError } from '../../../src/object-store/storage-error.ts';
import type { Tag } from '../../../src/object-store/tags.ts';
import { controlErrorOf } from '../../control/wire-error.ts';
import type { Place, TargetContext, TargetHandlers } from './at-target.ts';
import { describeBucket, describeObject } from './describe.ts';
import { customerKeyOf } from './encryption.ts';

type ObjectMethods =
  | 'buckets.describe'
  | 'buckets.retag'
  | 'buckets.tags'
  | 'objects.attributes'
  | 'objects.change'
  | 'objects.copy'
  | 'objects.describe'
  | 'objects.locks'
  | 'objects.rename'
  | 'objects.retag'
  | 'objects.tags'
  | 'prefixes.copy'
  | 'prefixes.rename';

export interface CopyProgress {
  readonly objects: number;
  readonly sizeBytes: number;
  /** The total number of bytes. Present if a single object is copied. */
  readonly totalBytes?: number;
}

type OnCopied = WholeCopyOptions['onCopied'];

export interface ObjectHandlerOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly onCopyProgress: (id: string, progress: CopyProgress) => void;
}

export function objectHandlers(options: ObjectHandlerOptions): TargetHandlers<ObjectMethods> {
  const copies = new Copies(options);
  return {
    'objects.copy': (params, context) => copies.copy(params, context, copies.reporter(params)),
    'objects.rename': (params, context) => copies.rename(params, context, copies.reporter(params)),
    'prefixes.copy': (params, context) => copies.copyAll(params, context),
    'prefixes.rename': (params, context) => copies.renameAll(params, context),
    'objects.change': (params, context) => copies.change(params, context),
    'objects.describe': (params, { signal, store }) =>
      describeObject(store, keyed(params), { signal }),
    'objects.locks': async (params, { signal, store }) => {
      const { info } = await store.headObject(keyed(params), { signal });
      const { versionId, retention, legalHold } = info;
      return defined({ versionId, retention, legalHold });
    },
    'buckets.describe': (params, { signal, store }) =>
      describeBucket(store, params.bucket, { signal }),
    'objects.attributes': async (params, { signal, store }) =>
      statedAttributes((await store.headObject(keyed(params), { signal })).info),
    'objects.tags': async (params, { signal, store }) => {
      const { tags, ...version } = await store.getObjectTags(defined(params), { signal });
      return { ...version, tags: [...tags] };
    },
    'objects.retag': async ({ changes, ...params }, { signal, store }) => {
      const ref = defined(params);
      const before = await store.getObjectTags(ref, { signal });
      const tags = changedTags(before.tags, changes);
      const version = await store.putObjectTags({ ...ref, tags }, { signal });
      return { ...version, tags: [...tags] };
    },
    'buckets.tags': async (params, { signal, store }) => ({
      tags: [...(await bucketTags(store, params.bucket, { signal }))],
    }),
    'buckets.retag': async ({ bucket, changes }, { signal, store }) => {
      const tags = changedTags(await bucketTags(store, bucket, { signal }), changes);
      await store.putBucketTags({ bucket, tags }, { signal });
      return { tags: [...tags] };
    },
  };
}

/**
 * Throws StorageError `PreconditionFailed` if the object exists. A dry run uses it to report the same error as the
 * copy.
 */
async function refuseExisting(
  store: ObjectStore,
  { bucket, key }: ObjectLocation,
  { signal }: Pick<TargetContext, 'signal'>,
): Promise<void> {
  const { objects } = await store.listObjects({ bucket, prefix: key, maxKeys: 1 }, { signal });
  if (objects[0]?.key !== key) return;
  throw new StorageError('PreconditionFailed', `${JSON.stringify(key)} already exists`);
}

/** Returns the parameters with the customer-provided key decoded. */
function keyed<P extends { readonly customerKey?: string | undefined }>({
  customerKey,
  ...params
}: P) {
  return defined({ ...params, customerKey: customerKeyOf(customerKey) });
}

/** Returns the tags of the bucket. Returns no tags if the bucket has no tag set. */
async function bucketTags(
  store: ObjectStore,
  bucket: string,
  { signal }: Pick<TargetContext, 'signal'>,
): Promise<readonly Tag[]> {
  try {
    return await store.getBucketTags({ bucket }, { signal });
  } catch (error) {
    if (isStorageError(error, 'NoSuchTagSet')) return [];
    throw error;
  }
}

/** The maximum number of planned copies in the result of a dry run. */
const MAX_PLANNED = 1000;
const PROGRESS_EVERY_MS = 250;

/** The copy options of the embedded store. A copy of any size takes one request, because it only adds a row. */
const IN_ONE = { maxOneCopyBytes: Infinity };

/** Returns the copy options of a store. At a target, the service's size limit for copies applies. */
function inOneAt(target: Place['target']): Partial<typeof IN_ONE> {
  return target ? {} : IN_ONE;
}

class Copies {
  readonly #options: ObjectHandlerOptions;

  constructor(options: ObjectHandlerOptions) {
    this.#options = options;
  }

  /** Returns the function that reports the copied bytes of one object. Returns undefined if the caller gave no ID. */
  reporter({ id }: Pick<Params<'objects.copy'>, 'id'>): OnCopied {
    if (id === undefined) return undefined;
    return ({ bytes: sizeBytes, totalBytes }) =>
      this.#options.onCopyProgress(id, { objects: 0, sizeBytes, totalBytes });
  }

  async copy(
    { from, to, overwrite, changes, tags, customerKey: typedKey }: Params<'objects.copy'>,
    { signal, store, target }: TargetContext,
    onCopied?: OnCopied,
  ): Promise<Result<'objects.copy'>> {
    const { logger } = this.#options;
    const { customerKey, ...source } = keyed({ ...from, customerKey: typedKey });
    const { info } = await store.headObject(defined({ ...source, customerKey }), { signal });
    const attributes = changes && changedAttributes(statedAttributes(info), defined(changes));
    const conditions = overwrite ? undefined : ({ ifNoneMatch: '*' } as const);
    const request = defined({ ...to, source, attributes, tags, conditions });
    const options = { ...inOneAt(target), logger, signal, customerKey, ...defined({ onCopied }) };
    const { etag, versionId } = await copyWhole(store, request, info, options);
    return defined({ sizeBytes: info.sizeBytes, etag, versionId });
  }

  rename(
    { from, to, overwrite, customerKey: typedKey }: Omit<Params<'objects.rename'>, 'id'>,
    { signal, store, target }: TargetContext,
    onCopied?: OnCopied,
  ): Promise<Result<'objects.rename'>> {
    const { logger } = this.#options;
    const { customerKey } = keyed({ customerKey: typedKey });
    const options = { ...inOneAt(target), logger, signal, customerKey, ...defined({ onCopied }) };
    return renameObject(store, { from, to, overwrite }, options);
  }

  copyAll(
    params: Params<'prefixes.copy'>,
    context: TargetContext,
  ): Promise<Result<'prefixes.copy'>> {
    const { overwrite, changes, tags, customerKey } = params;
    return this.#move(params, context, async (from, to, onCopied) => {
      await this.copy({ from, to, overwrite, changes, tags, customerKey }, context, onCopied);
    });
  }

  async renameAll(
    params: Params<'prefixes.rename'>,
    context: TargetContext,
  ): Promise<Result<'prefixes.rename'>> {
    const { overwrite, customerKey } = params;
    let versionsStay = false;
    let rightsKept = true;
    const moved = await this.#move(params, context, async (from, to, onCopied) => {
      const renamed = await this.rename({ from, to, overwrite, customerKey }, context, onCopied);
      versionsStay ||= renamed.versionsStay;
      rightsKept &&= renamed.rightsKept;
    });
    return { ...moved, versionsStay, rightsKept };
  }

  /**
   * Changes the metadata of an object. Rejects if the object has been replaced since its metadata was read, so that a
   * newer object is not overwritten.
   */
  async change(
    { changes, ...params }: Params<'objects.change'>,
    { signal, store, target }: TargetContext,
  ): Promise<Result<'objects.change'>> {
    const { logger } = this.#options;
    const { customerKey, ...object } = keyed(params);
    const { info } = await store.headObject(defined({ ...object, customerKey }), { signal });
    const attributes = changedAttributes(statedAttributes(info), defined(changes));
    const request = { ...object, source: object, attributes, conditions: { ifMatch: info.etag } };
    const options = { ...inOneAt(target), logger, signal, customerKey };
    const { etag, versionId, rightsKept } = await copyWithAcl(store, request, info, options);
    return defined({ sizeBytes: info.sizeBytes, etag, versionId, rightsKept });
  }

  async #move(
    { from, to, overwrite, dryRun, id }: Params<'prefixes.rename'>,
    { signal, store }: TargetContext,
    one: (from: ObjectLocation, to: ObjectLocation, onCopied: OnCopied) => Promise<void>,
  ): Promise<Result<'prefixes.copy'>> {
    const { logger, onCopyProgress } = this.#options;
    const planned: { from: string; to: string; sizeBytes: number }[] = [];
    const plan: PrefixMove['each'] = async (source, target, { sizeBytes }) => {
      checkKey(target.key);
      if (!overwrite) await refuseExisting(store, target, { signal });
      if (planned.length < MAX_PLANNED)
        planned.push({ from: source.key, to: target.key, sizeBytes });
    };
    const report = this.#seldom((progress) => onCopyProgress(id, progress));
    let done: CopyProgress = { objects: 0, sizeBytes: 0 };
    let bytesInFlight = 0;
    const each: PrefixMove['each'] = async (source, target) => {
      let copied = 0;
      const noteCopied = (bytes: number) => {
        bytesInFlight += bytes - copied;
        copied = bytes;
      };
      const onCopied: OnCopied = ({ bytes }) => {
        noteCopied(bytes);
        report({ ...done, sizeBytes: done.sizeBytes + bytesInFlight });
      };
      await one(source, target, onCopied).finally(() => noteCopied(0));
    };
    const onProgress = ({ objects, sizeBytes }: CopyProgress) => {
      done = { objects, sizeBytes };
      report({ objects, sizeBytes: sizeBytes + bytesInFlight });
    };
    const move = { from, to, each: dryRun ? plan : each };
    const moved = await movePrefix(store, move, { signal, onProgress });
    const failed = moved.failed.map(({ from: { key }, to: { key: target }, error }) => {
      const { code, message, storageCode } = controlErrorOf(error, logger);
      return { from: key, to: target, code: storageCode ?? code, message };
    });
    const { objects, sizeBytes: bytes, failedCount } = moved;
    return { objects, bytes, failedCount, failed, ...(dryRun && { planned }) };
  }

  #seldom(report: (progress: CopyProgress) => void): (progress: CopyProgress) => void {
    const { clock } = this.#options;
    let reportedAt = clock.monotonic();
    return (progress) => {
      if (clock.monotonic() - reportedAt < PROGRESS_EVERY_MS) return;
      reportedAt = clock.monotonic();
      report(progress);
    };
  }
}
