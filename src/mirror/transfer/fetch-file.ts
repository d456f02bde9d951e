/** One object of the bucket brought into the mirrored folder: whole, verified and durable under its name, or not at all. */

import { createHash, type Hash } from 'node:crypto';
import { closeSync, fsync, lstatSync, openSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';

import { discard } from '../../object-store/body.ts';
import type { ObjectContent } from '../../object-store/object-store.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { decodeAttributes, type StoredAttributes } from '../objects/object-metadata.ts';
import { digestOf } from '../local/file-content.ts';
import { FileChangedError } from '../model/failure-kind.ts';
import { renameIfFree } from '../local/set-aside-file.ts';
import { HeldFolder } from '../local/held-folder.ts';
import { kindOf, toExactEntry } from '../local/local-entry.ts';
import { parentOf } from '../model/local-path.ts';
import { plainMetadata } from '../objects/privileges.ts';
import { temporaryName } from '../local/temporary-name.ts';
import { withXattrs } from './fetch-xattrs.ts';
import { linkTargetOf, mtimeOf, restoreFile, verified } from './write-file.ts';
import { loadSetMtime } from '../local/set-mtime.ts';
import type { Place, VersionName } from '../objects/destination.ts';
import type { LocalEntry } from '../model/types.ts';

export interface ObjectRequest {
  readonly place: Place;
  /** `key` is below the prefix. */
  readonly version: VersionName;
  readonly etag: string;
  readonly signal: AbortSignal;
}

export interface FetchRequest extends ObjectRequest {
  readonly root: string;
  /** Below the root; its folder exists. */
  readonly path: string;
  /** Called when the file is about to get its name: nothing stands there when it returns. */
  readonly makeWay: () => void;
}

export interface FetchedFile {
  /** As lstat tells of what was made. */
  readonly entry: LocalEntry;
  /** Lower-case hex. */
  readonly sha256: string;
}

const sync = promisify(fsync);

/**
 * Rejects as the store does, also where the object is another one now; with MirrorError `ContentDiffers`, or a system
 * error; and with FileChangedError where somebody was quicker.
 */
export async function fetchFile(request: FetchRequest): Promise<FetchedFile> {
  const { place, root, path, signal } = request;
  const content = await get(request);
  const digest = createHash('sha256');
  // Another client may have written it: its owner and mode bits 07000 are never applied to the mirrored folder.
  const stored = decodeAttributes(plainMetadata(content.info.metadata));
  const attributes = await withXattrs(place, stored, signal).catch(async (error: unknown) => {
    await discard(content.body);
    throw error;
  });
  const hashed = { ...content, body: hashing(content.body, digest) };
  const folder = new HeldFolder(realpathSync(root), parentOf(path));
  try {
    const make = attributes.kind === 'symlink' ? makeLink : makeFile;
    await make({ ...request, folder }, hashed, attributes);
  } finally {
    folder.close();
  }
  const entry = lookAtMade(`${root}/${path}`, path, { content, attributes });
  return { entry, sha256: digest.digest('hex') };
}

/** SHA-256 of an object, in lower-case hex, where nothing tells it. */
export async function hashObject(request: ObjectRequest): Promise<string> {
  const { sha256 } = await digestOf(verified(await get(request), undefined));
  return sha256;
}

async function get({ place, version, etag, signal }: ObjectRequest): Promise<ObjectContent> {
  const { store, bucket, prefix } = place;
  const object = { ...version, bucket, key: prefix + version.key };
  const conditions = { ifMatch: [etag] };
  const content = await store.getObject({ ...object, conditions }, { signal });
  if (content.info.etag === etag) return content;
  await discard(content.body);
  throw new StorageError('PreconditionFailed', `get ${object.key}: it is another object now`);
}

async function* hashing(body: AsyncIterable<Uint8Array>, digest: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    digest.update(chunk);
    yield chunk;
  }
}

interface HeldRequest extends FetchRequest {
  readonly folder: HeldFolder;
}

async function makeFile(
  { folder, path, makeWay }: HeldRequest,
  content: ObjectContent,
  attributes: StoredAttributes,
): Promise<void> {
  const setMtime = await loadSetMtime();
  const onBytes = () => undefined;
  const target = { folder, name: basename(path), makeWay };
  const request = { ...target, content, attributes, setMtime, onBytes };
  const nameFile = await restoreFile(request);
  await nameFile(sync);
  await syncFolder(folder);
}

async function makeLink(
  { folder, path, makeWay }: HeldRequest,
  content: ObjectContent,
  attributes: StoredAttributes,
): Promise<void> {
  const target = await linkTargetOf(content, attributes);
  const setMtime = await loadSetMtime();
  const temporary = folder.at(temporaryName());
  symlinkSync(Buffer.from(target), temporary);
  try {
    setMtime(temporary, mtimeOf(attributes, content.info.lastModifiedAt));
    makeWay();
    renameIfFree(temporary, folder.at(basename(path)));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

async function syncFolder({ openPath }: HeldFolder): Promise<void> {
  const descriptor = openSync(openPath, 'r');
  try {
    await sync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Somebody may have put something else there since: the time that was just set tells. */
function lookAtMade(
  absolute: string,
  path: string,
  { content: { info }, attributes }: { content: ObjectContent; attributes: StoredAttributes },
): LocalEntry {
  const stats = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  const kind = stats && kindOf(stats);
  const isOurs =
    Number(stats?.size) === info.sizeBytes &&
    stats?.mtimeNs === mtimeOf(attributes, info.lastModifiedAt);
  if (!stats || !kind || !isOurs) throw new FileChangedError(absolute);
  return toExactEntry(path, kind, stats);
}
