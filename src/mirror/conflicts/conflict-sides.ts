/**
 * Describes the current state of a conflict's two sides (the file and the object), and reads their content. Changes
 * nothing.
 */

import { createReadStream, realpathSync } from 'node:fs';
import { basename } from 'node:path';

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { errorCode } from '../../base/errors.ts';
import type { ListedVersion } from '../../object-store/listing.ts';
import type { MirrorStore } from '../../object-store/mirror-store.ts';
import type { Retention } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import type { Conflict } from './conflicts.ts';
import { decodeAttributes } from '../objects/object-metadata.ts';
import { MEMORY_BODY_BYTES, readFileStable } from '../local/read-file.ts';
import { inFolder } from '../local/held-folder.ts';
import { kindOf, toExactEntry } from '../local/local-entry.ts';
import { parentOf } from '../model/local-path.ts';
import { openInside } from '../local/open-inside.ts';
import type { JobDestination } from '../objects/destination.ts';
import type { EntryKind, LocalEntry } from '../model/types.ts';

export interface Side {
  /**
   * Where the content is. `folder`: the file in the job's folder. `current`: the current version in the bucket. `kept`:
   * an older version in the bucket, or a copy saved under another key.
   */
  readonly where: 'folder' | 'current' | 'kept';
  /** True if the file or object no longer exists. */
  readonly missing?: true;
  readonly kind?: EntryKind;
  readonly sizeBytes?: number;
  /**
   * Modification time in milliseconds since 1970. For an object, it is the mirrored file's modification time, or
   * LastModified if that is unknown.
   */
  readonly modifiedAt?: number;
  /** SHA-256 of the content in lower-case hex. */
  readonly sha256?: string;
  readonly etag?: string;
  readonly versionId?: string;
  /** Key of the saved copy, relative to the prefix; absent if the content is stored under the path's own key. */
  readonly savedAs?: string;
  /** Id of the storage user who owns the object, if the service returns it. */
  readonly owner?: string;
  /** Whether this job uploaded the object; absent for a file. */
  readonly byMirror?: boolean;
  readonly retention?: Retention;
  readonly legalHold?: boolean;
  /** Reads the first `limitBytes` bytes of the content. Absent if the content cannot be read. */
  readonly read?: (limitBytes: number) => AsyncIterable<Uint8Array>;
}

export interface Sides {
  readonly local: Side;
  readonly remote: Side;
}

export interface SidesContext extends JobDestination {
  /** Absolute path of the job's folder. */
  readonly root: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Describes both sides of a conflict. `local` is the file, or its saved copy if the file was replaced. `remote` is the
 * current version in the bucket, or the saved version if the object was replaced.
 */
export async function sidesOf(conflict: Conflict, context: SidesContext): Promise<Sides> {
  const { path, side, state } = conflict;
  const kept = () => readObject(context, { where: 'kept', path, ...savedVersionOf(conflict) });
  const current = () => readObject(context, { where: 'current', path });
  const file = () => readFolder(path, context);
  if (state === 'held') return both(file(), current());
  return side === 'bucket' ? both(file(), kept()) : both(kept(), current());
}

async function both(local: Promise<Side>, remote: Promise<Side>): Promise<Sides> {
  const [one, other] = await Promise.all([local, remote]);
  return { local: one, remote: other };
}

function savedVersionOf({ savedAs, versionId }: Conflict): Pick<Side, 'savedAs' | 'versionId'> {
  return savedAs === undefined ? defined({ versionId }) : { savedAs };
}

/** Describes the file at `path` in the job's folder. Does not follow symbolic links in the path. */
async function readFolder(path: string, { root, clock, signal }: SidesContext): Promise<Side> {
  const where = 'folder';
  const stats = statInside(root, path);
  const kind = stats && kindOf(stats);
  if (!kind) return { where, missing: true };
  const entry = toExactEntry(path, kind, stats);
  const { sizeBytes, mtimeMs: modifiedAt } = entry;
  const facts = { where, kind, sizeBytes, modifiedAt } as const;
  if (kind === 'directory') return facts;
  if (kind === 'symlink' || sizeBytes <= MEMORY_BODY_BYTES)
    return { ...facts, ...(await readWhole(root, entry, { clock, signal })) };
  return { ...facts, read: (limit) => firstBytes(root, path, limit) };
}

function statInside(root: string, path: string) {
  try {
    return inFolder(realpathSync(root), parentOf(path), (folder) => folder.lstat(basename(path)));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/**
 * Reads and hashes a small file or a symbolic link. Returns an empty object if the file is changing, so that a stable
 * read is not possible now.
 */
async function readWhole(
  root: string,
  entry: LocalEntry,
  options: Pick<SidesContext, 'clock' | 'signal'>,
): Promise<Pick<Side, 'sha256' | 'read'>> {
  const reading = await readFileStable(root, entry, options);
  if (reading.status !== 'read') return {};
  const { sha256, body } = reading;
  return { sha256, read: (limit) => upTo(body.open(), limit) };
}

async function* firstBytes(
  root: string,
  path: string,
  limitBytes: number,
): AsyncGenerator<Uint8Array, void> {
  yield* createReadStream('', { fd: openInside(root, path), end: limitBytes - 1 });
}

interface WantedObject extends Pick<Side, 'savedAs' | 'versionId'> {
  readonly where: 'current' | 'kept';
  readonly path: string;
}

async function readObject(context: SidesContext, wanted: WantedObject): Promise<Side> {
  const { store, bucket, prefix, signal } = context;
  const { where, path, savedAs, versionId } = wanted;
  const object = { bucket, key: prefix + (savedAs ?? path), ...defined({ versionId }) };
  const info = await headUnlessGone(store, object, signal);
  if (!info) return { where, missing: true, ...defined({ savedAs, versionId }) };
  const { kind, sha256, mtimeNs } = decodeAttributes(info.metadata);
  const stored = { ...info, key: savedAs ?? path, metadata: info.metadata ?? {} };
  const { sizeBytes, etag, lastModifiedAt, retention, legalHold } = info;
  const owner = await ownerOf(context, object.key, info.versionId);
  return defined({
    where,
    kind,
    sizeBytes,
    modifiedAt: mtimeNs === undefined ? lastModifiedAt : Number(mtimeNs / 1_000_000n),
    sha256: context.provenance.isOtherContent(stored) ? undefined : sha256,
    etag,
    versionId: info.versionId,
    savedAs,
    owner,
    byMirror: context.provenance.isOwn(stored),
    retention,
    legalHold,
    read: (limit: number) => readStart(store, { object, sizeBytes, limit }, signal),
  });
}

async function headUnlessGone(
  store: MirrorStore,
  object: { readonly bucket: string; readonly key: string },
  signal: AbortSignal,
) {
  try {
    return (await store.headObject(object, { signal })).info;
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey', 'NoSuchVersion')) return undefined;
    throw error;
  }
}

/** Maximum number of a key's versions that are listed to find the owner of one version. */
const MAX_VERSIONS = 100;

async function ownerOf(
  { store, bucket, signal }: SidesContext,
  key: string,
  versionId: string | undefined,
): Promise<string | undefined> {
  if (versionId === undefined) {
    const asked = { bucket, prefix: key, maxKeys: 1, fetchOwner: true };
    const [object] = (await store.listObjects(asked, { signal })).objects;
    return object?.key === key ? object.owner : undefined;
  }
  const asked = { bucket, prefix: key, maxKeys: MAX_VERSIONS };
  const isIt = (listed: ListedVersion) => listed.key === key && listed.versionId === versionId;
  return (await store.listVersions(asked, { signal })).versions.find(isIt)?.owner;
}

async function* readStart(
  store: MirrorStore,
  what: {
    readonly object: { readonly bucket: string; readonly key: string };
    readonly sizeBytes: number;
    readonly limit: number;
  },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const { object, sizeBytes, limit } = what;
  // An empty object has no bytes that a range request could name.
  if (sizeBytes === 0) return;
  const range = { first: 0, last: Math.min(limit, sizeBytes) - 1 };
  const { body } = await store.getObject({ ...object, range }, { signal });
  yield* body;
}

async function* upTo(
  body: AsyncIterable<Uint8Array>,
  limitBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let left = limitBytes;
  for await (const chunk of body) {
    yield chunk.subarray(0, left);
    left -= chunk.byteLength;
    if (left <= 0) return;
  }
}
