/**
 * Makes an older version current again. The service copies it to a new version, so no version is removed and every lock
 * is kept. A restore in place then updates the local file.
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
  /** Path of a file below the prefix; with `at` also of a folder. */
  readonly path: string;
  /** The time whose versions become current, in milliseconds since 1970 by the service's clock. */
  readonly at?: number;
  /**
   * The version to make current, for one file. Without `versionId` and `at`, the version before the current one is
   * used.
   */
  readonly versionId?: string;
}

/**
 * Options of an undo. `store` must guard writes like the store of the job itself, for example with the
 * conditional-write fallback.
 */
export interface UndoOptions extends Undo {
  /** Returns the lock for a new version of a key. */
  readonly lockFor: WriteControl['lockFor'];
  readonly attributesOfCopy: WriteControl['attributesOfCopy'];
  readonly recordCopy?: WriteControl['recordCopy'];
  /**
   * Stores the local file of a key before its object changes, and records the version that has its bytes. Rejects with
   * MirrorError `NotSaved` if the file must stay.
   */
  readonly saveBefore?: (step: UndoStep) => Promise<SavedVersion | undefined>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Larger versions are copied by a multipart upload. Default: 5 GiB. */
  readonly maxOneCopyBytes?: number;
}

/** The planned change of one key. */
export interface UndoStep {
  readonly key: string;
  readonly wanted: ListedVersion;
  /** The current version; absent if the object is deleted. */
  readonly current?: Pick<ListedVersion, 'etag' | 'versionId'>;
  /** The path to which the file was moved; set if the undo takes the move back. */
  readonly movedTo?: string;
}

const COPIES_AT_ONCE = 8;
/** Maximum number of attempts for a file that the mirror uploads meanwhile. */
const TRIES = 4;

/**
 * Yields a step for each key, even if its current version is already the wanted one. Yields keys whose version at the
 * requested time is unknown; the undo must leave them unchanged. For a moved file without an older version, yields the
 * step that gives the file its earlier name back.
 * Rejects with MirrorError `NoSuchVersion` or `NoVersions`, or with the store's errors.
 */
export async function* planUndo(options: Undo): AsyncGenerator<UndoStep | UndatedKey, void> {
  const { store, bucket, at, path } = options;
  // Without versioning, no older version exists. With suspended versioning, a copy would replace the newest one.
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

/** Explains why the path has no older version to restore. */
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
    // If the service changes dates, no date proves when the path was first stored.
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

/** Copies each wanted version that is not current, and yields all wanted objects as the input of a restore in place. */
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
 * Stores the local file first. If that is impossible, returns undefined: the object stays, and the restore reports that
 * the file stays, too.
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

/** Yields the steps that make these versions current. Rejects with StorageError if one does not exist any more. */
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
      // The mirror has already uploaded the restored file.
      if (current?.etag === wanted.etag) return;
    } finally {
      uploadLog?.release();
    }
  }
}

/**
 * Sets the lock of a copied version again, since some services silently drop it. If that fails, lock renewal retries
 * and reports it.
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

/** Returns the current version of a key; undefined if it is deleted. */
export async function currentOf(
  { store, bucket, signal }: Pick<Undo, 'store' | 'bucket' | 'signal'>,
  key: string,
): Promise<ListedVersion | undefined> {
  const page = await store.listVersions({ bucket, prefix: key, maxKeys: 1 }, defined({ signal }));
  const [newest] = page.versions;
  return newest?.key === key && newest.kind === 'version' ? newest : undefined;
}
