/**
 * Makes an older version current again. The service copies it to a new version, so that no version is removed and every
 * lock stays in force. A restore in place then updates the local file.
 */

import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { Logger } from '../base/logger.ts';
import { copyWhole } from '../object-store/copy-whole.ts';
import type { ListedVersion } from '../object-store/listing.ts';
import type { SavedVersion } from '../mirror/transfer/save-version.ts';
import type { WriteControl } from '../mirror/transfer/write-control.ts';
import type { MirrorStore } from '../object-store/mirror-store.ts';
import type { LockRequest, PutObjectResult } from '../object-store/object-store.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { ensureLock } from '../mirror/objects/ensure-lock.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import { askAhead } from '../base/ask-ahead.ts';
import type {
  ListingOptions,
  StoredObject,
  UndatedKey,
} from '../mirror/objects/version-listing.ts';
import { readVersion } from '../mirror/objects/destination.ts';
import { keysAtTwoTimes, versionsByKey, versionsOfFile } from '../mirror/objects/key-history.ts';
import { movedFrom } from './moved-from.ts';
import { versionBeforeMove } from './undo-move.ts';
import { timeText } from '../text/time.ts';

/** Selects the versions that an undo makes current. */
export interface Undo extends Omit<ListingOptions, 'at' | 'path' | 'store'> {
  readonly store: MirrorStore;
  /** Path of a file below the prefix. With `at`, it may also be a folder. */
  readonly path: string;
  /** The time for which the versions become current, in milliseconds since 1970 by the service's clock. */
  readonly at?: number;
  /**
   * The version of a single file to make current. Without `versionId` and `at`, the undo uses the version before the
   * current one.
   */
  readonly versionId?: string;
}

/**
 * Options of an undo. `store` must protect writes like the job's own store does, for example with the conditional-write
 * fallback.
 */
export interface UndoOptions extends Undo {
  /** Returns the lock for a new version of a key. */
  readonly lockFor: WriteControl['lockFor'];
  readonly attributesOfCopy: WriteControl['attributesOfCopy'];
  readonly recordCopy?: WriteControl['recordCopy'];
  /**
   * Stores a key's local file before its object changes, and records the version that has the file's content. Rejects
   * with MirrorError `NotSaved` if the file must stay.
   */
  readonly saveBefore?: (step: UndoStep) => Promise<SavedVersion | undefined>;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Maximum size in bytes for a copy with a single request; larger versions are copied in a multipart upload. Default:
   * 5 GiB.
   */
  readonly maxOneCopyBytes?: number;
}

/** The planned change for one key. */
export interface UndoStep {
  readonly key: string;
  readonly wanted: ListedVersion;
  /** The current version; absent if the object was deleted. */
  readonly current?: Pick<ListedVersion, 'etag' | 'versionId'>;
  /** The path to which the file was moved. Present only if the undo reverses the move. */
  readonly movedTo?: string;
}

const COPIES_AT_ONCE = 8;
/** Maximum number of attempts if the mirror uploads the file in the meantime. */
const TRIES = 4;

/**
 * Yields a step for each key, even if its current version is already the wanted one. Also yields keys whose version at
 * the requested time is unknown; the undo must leave them unchanged. For a moved file without an older version, the
 * step gives the file its earlier name back. Rejects with MirrorError `NoVersions` if the bucket
 * has no versioning, with MirrorError `NoSuchVersion` if no suitable version exists, or with the store's errors.
 */
export async function* planUndo(options: Undo): AsyncGenerator<UndoStep | UndatedKey, void> {
  const { store, bucket, at, path } = options;
  // Without versioning, no older version exists. With suspended versioning, a copy would replace the newest version.
  if ((await store.getVersioning({ bucket }, defined({ signal: options.signal }))) !== 'Enabled')
    throw new MirrorError('NoVersions', `cannot undo ${path}: bucket ${bucket} has no versioning`);
  let found = false;
  for await (const step of at === undefined ? planOne(options) : planAt(options, at)) {
    found = true;
    yield step;
  }
  if (found) return;
  const wanted = options.versionId === undefined ? await versionBeforeMove(options) : undefined;
  if (!wanted)
    throw new MirrorError('NoSuchVersion', `cannot undo ${path}: ${await reasonForNone(options)}`);
  yield { key: wanted.key, wanted, movedTo: path };
}

/** Returns the reason why the path has no older version to restore. */
async function reasonForNone(options: Undo): Promise<string> {
  const { prefix, path, at, versionId, times } = options;
  let file: ListedVersion | undefined;
  let firstAt = Number.POSITIVE_INFINITY;
  for await (const versions of versionsByKey(options)) {
    if (versions[0]?.key === prefix + path) file = versions.at(-1);
    for (const { kind, lastModifiedAt } of versions)
      if (kind === 'version') firstAt = Math.min(firstAt, lastModifiedAt);
  }
  if (firstAt === Number.POSITIVE_INFINITY) return 'the bucket has no version of it';
  if (at !== undefined) {
    // If the service changes version dates, they do not prove when the path was first stored.
    const since = times ? '' : `; its first version is from ${timeText(firstAt)}`;
    return `it did not exist at that time${since}`;
  }
  if (versionId !== undefined) return `it has no version ${versionId}`;
  if (!file) return 'it is a folder, which needs a time: --at TIME';
  const from = await movedFrom(options, file);
  if (!from) return 'it has no older version';
  const moved = `it was moved from ${from.path} at ${timeText(file.lastModifiedAt)}`;
  return `it has no older version; ${moved}, and another file has that name now`;
}

async function* planAt(options: Undo, at: number): AsyncGenerator<UndoStep | UndatedKey, void> {
  for await (const { key, before, after, isUndated } of keysAtTwoTimes(options, { from: at }))
    if (isUndated) yield { key, isUndated };
    else if (before) yield { key, wanted: before, ...defined({ current: after }) };
}

async function* planOne(options: Undo): AsyncGenerator<UndoStep, void> {
  const { prefix, path, versionId } = options;
  const versions = await versionsOfFile(options);
  const [newest] = versions;
  const current = newest?.kind === 'version' ? newest : undefined;
  const isWanted = (version: ListedVersion) =>
    versionId === undefined ? version.etag !== current?.etag : version.versionId === versionId;
  const wanted = versions.find((version) => version.kind === 'version' && isWanted(version));
  if (wanted) yield { key: prefix + path, wanted, ...defined({ current }) };
}

/** Copies each wanted version that is not current. Yields all wanted objects as the input for a restore in place. */
export async function* copyForward(
  options: UndoOptions,
  onCopied: (step: UndoStep) => void,
  steps: AsyncIterable<UndoStep | UndatedKey> = planUndo(options),
): AsyncGenerator<StoredObject | UndatedKey, void> {
  yield* askAhead(steps, COPIES_AT_ONCE, async (planned) => {
    if ('isUndated' in planned) return planned;
    const { key, wanted } = planned;
    const object = { key, versionId: wanted.versionId, sizeBytes: wanted.sizeBytes };
    const step = await savedStep(planned, options);
    if (step && !isCurrent(step)) {
      await makeCurrent(step, options);
      onCopied(step);
    }
    return object;
  });
}

/**
 * Stores the local file first. If that is impossible, returns undefined. The object then stays, and the restore reports
 * that the file stays too.
 */
async function savedStep(
  step: UndoStep,
  { saveBefore }: UndoOptions,
): Promise<UndoStep | undefined> {
  try {
    const saved = await saveBefore?.(step);
    return saved?.isNew ? { ...step, current: saved } : step;
  } catch (error) {
    if (error instanceof MirrorError && error.code === 'NotSaved') return undefined;
    throw error;
  }
}

/** Yields the steps that make these versions current. Rejects with StorageError if one of them no longer exists. */
export async function* stepsTo(
  versions: readonly { readonly key: string; readonly versionId: string }[],
  undo: Pick<Undo, 'store' | 'bucket' | 'signal'>,
): AsyncGenerator<UndoStep, void> {
  const { store, bucket, signal } = undo;
  yield* askAhead(versions, COPIES_AT_ONCE, async ({ key, versionId }) => {
    const { info } = await store.headObject({ bucket, key, versionId }, defined({ signal }));
    const { sizeBytes, etag, lastModifiedAt } = info;
    const facts = { kind: 'version', key, versionId, isLatest: false } as const;
    const current = await currentOf(undo, key);
    return { key, wanted: { ...facts, sizeBytes, etag, lastModifiedAt }, ...defined({ current }) };
  });
}

/** Returns whether the wanted version is already the current one. */
export function isCurrent({ wanted, current }: UndoStep): boolean {
  return current?.versionId === wanted.versionId;
}

async function makeCurrent(step: UndoStep, options: UndoOptions): Promise<void> {
  const { bucket, store, signal, lockFor, attributesOfCopy, logger, prefix } = options;
  const { key, wanted } = step;
  const copying = { logger, ...defined({ signal, maxOneCopyBytes: options.maxOneCopyBytes }) };
  const source = { bucket, key, versionId: wanted.versionId };
  const { info } = await store.headObject(source, defined({ signal }));
  const lock = await lockFor(key.slice(prefix.length));
  const attributes = await attributesOfCopy(key.slice(prefix.length), info);
  let current: UndoStep['current'] = step.current;
  for (let tries = 1; ; tries++) {
    const uploadLog = options.recordCopy?.(key.slice(prefix.length));
    const conditions = current ? { ifMatch: current.etag } : ({ ifNoneMatch: '*' } as const);
    try {
      const copy = { source, bucket, key, conditions, attributes, ...defined({ lock }) };
      const from = { ...info, versionId: wanted.versionId };
      const made = await copyWhole(store, copy, from, { ...copying, ...defined({ uploadLog }) });
      return await lockCopy(key.slice(prefix.length), made, lock, options);
    } catch (error) {
      if (tries === TRIES || !isStorageError(error, 'PreconditionFailed', 'NoSuchKey')) throw error;
      current = await currentOf(options, key);
      // The mirror has already uploaded the restored file, so nothing is left to do.
      if (current?.etag === wanted.etag) return;
    } finally {
      uploadLog?.release();
    }
  }
}

/**
 * Sets a copied version's lock again, because some services silently drop it. If that fails, lock renewal tries again
 * and reports the failure.
 */
async function lockCopy(
  key: string,
  { etag, versionId }: PutObjectResult,
  lock: LockRequest | undefined,
  { store, bucket, prefix, clock, logger, signal = NEVER }: UndoOptions,
): Promise<void> {
  if (!lock?.retention) return;
  const destination = { store, bucket, prefix };
  const find = async () => {
    const found = await readVersion(destination, { key, ...defined({ versionId }) }, signal);
    return found === 'absent' || found.etag !== etag ? undefined : found;
  };
  const subject = { destination, key, now: clock.now(), find };
  const outcome = await ensureLock(subject, lock.retention, signal);
  if (outcome.is === 'not locked')
    logger.warn(
      { key, error: outcome.refusal },
      'lock restored version: not locked yet, lock renewal retries',
    );
}

const NEVER = new AbortController().signal;

/** Returns a key's current version; undefined if the object was deleted. */
export async function currentOf(
  { store, bucket, signal }: Pick<Undo, 'store' | 'bucket' | 'signal'>,
  key: string,
): Promise<ListedVersion | undefined> {
  const page = await store.listVersions({ bucket, prefix: key, maxKeys: 1 }, defined({ signal }));
  const [newest] = page.versions;
  return newest?.key === key && newest.kind === 'version' ? newest : undefined;
}
