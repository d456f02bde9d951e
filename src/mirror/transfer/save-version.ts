/**
 * Saves a local file's content as a version of its object, before a restore or an undo replaces the file. Does not
 * depend on the job's rounds, so that it works even while the job is paused.
 */

import { type BigIntStats, lstatSync } from 'node:fs';
import { randomUUID } from 'node:crypto';

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { failureReason } from '../../base/disk-error.ts';
import type { Logger } from '../../base/logger.ts';
import type { LockRequest } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { explainExclusion } from '../local/exclude.ts';
import { kindOf, sameState, toExactEntry } from '../local/local-entry.ts';
import { type FileReading, readFileStable } from '../local/read-file.ts';
import { MirrorError } from '../model/mirror-error.ts';
import { unchanged } from '../model/compare.ts';
import {
  type BaselineEntry,
  LOCK_UNSEEN,
  type LocalEntry,
  type MirrorJob,
} from '../model/types.ts';
import {
  type JobDestination,
  readBucketKind,
  readHead,
  type ReadHead,
  readVersion,
} from '../objects/destination.ts';
import type { NewVersions } from '../objects/lock-rules.ts';
import { objectAttributes } from '../objects/object-metadata.ts';
import { md5Of } from '../objects/provenance.ts';
import type { StateFile } from '../state/state-file.ts';
import { dropBegunUpload, uploadToResume } from './resumable-upload.ts';
import { storeExtras } from './upload-extras.ts';
import { isInParts, uploadInParts } from './upload-parts.ts';

export interface SavedVersion {
  readonly etag: string;
  readonly versionId: string;
  /** Whether no version had this content before the call. */
  readonly isNew: boolean;
  /** Metadata of the existing version; absent if the version is new. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * Saves the file at a path that is relative to the job's folder. `seen` is the file's state that the caller wants to
 * replace. Rejects with MirrorError `NotSaved` if no version has exactly this content at the end.
 */
export type SaveLocal = (
  path: string,
  seen: BigIntStats,
  signal: AbortSignal,
) => Promise<SavedVersion>;

export interface SaveParts {
  readonly job: Pick<MirrorJob, 'root' | 'exclude' | 'cacheDirs'>;
  readonly protectedFolders: readonly string[];
  readonly destination: JobDestination;
  readonly state: StateFile;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newVersions: NewVersions;
}

type Content = Pick<BaselineEntry, 'kind' | 'sha256' | 'sizeBytes'>;
type Read = Extract<FileReading, { status: 'read' }>;

/** Maximum number of attempts if the job or another client writes to the key in the meantime. */
const TRIES = 4;

export function localSaver(parts: SaveParts): SaveLocal {
  const { root } = parts.job;
  return async (path, seen, signal) => {
    const kind = kindOf(seen);
    if (kind !== 'file' && kind !== 'symlink')
      throw notSaved(path, kind === 'directory' ? 'it is a folder' : 'it is not a regular file');
    const entry = toExactEntry(path, kind, seen);
    try {
      const known = parts.state.baseline.get(path);
      // Like the job itself, trusts that an unchanged file has the content in its baseline row.
      const isKnown = known !== undefined && unchanged(known, entry);
      const before = isKnown && (await savedBefore(path, known, parts, signal));
      return before || (await readAndSave(entry, seen, parts, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof MirrorError && error.code === 'NotSaved') throw error;
      throw notSaved(path, failureReason(error), error);
    }
  };

  async function readAndSave(
    entry: LocalEntry,
    seen: BigIntStats,
    { clock }: SaveParts,
    signal: AbortSignal,
  ): Promise<SavedVersion> {
    const { path } = entry;
    const reading = await readFileStable(root, entry, { clock, signal });
    if (reading.status === 'gone') throw notSaved(path, CHANGED);
    if (reading.status !== 'read') throw notSaved(path, reading.problem.message);
    try {
      const now = lstatSync(`${root}/${path}`, { bigint: true, throwIfNoEntry: false });
      if (!now || !sameState(now, seen)) throw notSaved(path, CHANGED);
      const content = { ...reading.entry, sha256: reading.sha256 };
      const before = await savedBefore(path, content, parts, signal);
      return before ?? (await upload(path, reading, parts, signal));
    } finally {
      reading.release?.();
    }
  }
}

const CHANGED = 'it was changed at the same time';

function notSaved(path: string, reason: string, cause?: unknown): MirrorError {
  const message = `${path} is not replaced, because no version has its bytes and it cannot be stored: ${reason}`;
  return new MirrorError('NotSaved', message, defined({ cause }));
}

/** Returns the baseline's version or the current version, if the service confirms that it has this content. */
async function savedBefore(
  path: string,
  { kind, sha256, sizeBytes }: Content,
  { destination, state }: SaveParts,
  signal: AbortSignal,
): Promise<SavedVersion | undefined> {
  const has = (found: ReadHead | 'absent') => {
    if (found === 'absent' || found.isOwn !== true || found.versionId === undefined)
      return undefined;
    // A symbolic link's target can be equal to a file's content, so the kinds must match too.
    if ((found.isLink === true) !== (kind === 'symlink')) return undefined;
    if (found.sha256 !== sha256 || found.sizeBytes !== sizeBytes) return undefined;
    const { etag, versionId, metadata = {} } = found;
    return { etag, versionId, isNew: false, metadata };
  };
  const known = state.baseline.get(path);
  if (known?.sha256 === sha256 && known.kind === kind && known.versionId !== undefined) {
    const version = { key: path, versionId: known.versionId };
    const saved = has(await readVersion(destination, version, signal));
    if (saved) return saved;
  }
  return has(await readHead(destination, path, signal));
}

async function upload(
  path: string,
  reading: Read,
  parts: SaveParts,
  signal: AbortSignal,
): Promise<SavedVersion> {
  const { destination, job, protectedFolders, newVersions } = parts;
  const { root, exclude: patterns, cacheDirs } = job;
  const rules = { root, patterns, protectedFolders, ...defined({ cacheDirs }) };
  if (explainExclusion(rules, path)) throw notSaved(path, 'the job excludes it');
  if ((await readBucketKind(destination, signal)) === 'unversioned')
    throw notSaved(path, `bucket ${destination.bucket} keeps no versions`);
  const { body, sha256, extras, entry } = reading;
  const lock = await newVersions.lock(path);
  await storeExtras(destination, extras, { lock, signal });
  destination.checkFreeSpace?.(body.sizeBytes);
  for (let tries = 1; ; tries++) {
    try {
      const { made, uploadedAt } = await put(path, reading, { lock, signal }, parts);
      if (made.versionId === undefined) throw notSaved(path, 'the service returned no version id');
      const { etag, versionId } = made;
      const retainUntil = lock?.retention && LOCK_UNSEEN;
      const known = { ...entry, sha256, etag, versionId, uploadedAt, ...defined({ retainUntil }) };
      // Without this baseline row, the job would take the version for another client's change.
      parts.state.settle([{ key: path, baseline: known }]);
      return { etag, versionId, isNew: true };
    } catch (error) {
      if (tries === TRIES || !isStorageError(error, ...OVERTAKEN)) throw error;
      const content = { ...entry, sha256 };
      const saved = await savedBefore(path, content, parts, signal);
      if (saved) return saved;
    }
  }
}

/**
 * Errors after which the job itself may have stored the content, for example by completing the same multipart upload.
 */
const OVERTAKEN = ['PreconditionFailed', 'NoSuchKey', 'NoSuchUpload'] as const;

async function put(
  path: string,
  reading: Read,
  { lock, signal }: { readonly lock: LockRequest | undefined; readonly signal: AbortSignal },
  { destination, state, clock, logger, newVersions }: SaveParts,
) {
  const { body, entry, sha256 } = reading;
  const context = { destination, state, clock, logger, signal };
  const resumes = uploadToResume(path, { entry, sha256 }, context);
  const { journalId, uploadedAt } = resumes ?? {
    journalId: randomUUID(),
    uploadedAt: await newVersions.uploadTime(),
  };
  const attributes = destination.provenance.prove(
    objectAttributes({ ...reading, journalId, uploadedAt }),
    { key: path, sizeBytes: body.sizeBytes, md5: md5Of(body) },
  );
  const head = await readHead(destination, path, signal);
  const conditions = head === 'absent' ? ({ ifNoneMatch: '*' } as const) : { ifMatch: head.etag };
  const object = { bucket: destination.bucket, key: destination.prefix + path };
  const request = { ...object, attributes, conditions, ...defined({ lock }) };
  if (!isInParts(body, destination)) {
    const made = await destination.store.putObject({ ...request, body }, { signal });
    return { made, uploadedAt };
  }
  if (!resumes) await dropBegunUpload(path, context);
  const begun = { key: path, journalId, begunAt: clock.now(), uploadedAt, entry };
  const made = await uploadInParts(request, { ...begun, content: body, resumes }, context);
  return { made, uploadedAt };
}
