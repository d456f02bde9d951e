/**
 * Downloads an object into the mirrored folder. The file gets its name only when it is complete, verified and durable.
 */

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
import { linkTargetOf, mtimeOf, nameFile, restoreFile, verified } from './write-file.ts';
import { loadSetMtime } from '../local/set-mtime.ts';
import type { Destination, VersionName } from '../objects/destination.ts';
import type { LocalEntry } from '../model/types.ts';

export interface ObjectRequest {
  readonly destination: Destination;
  /** The version to download. Its key is relative to the prefix. */
  readonly version: VersionName;
  readonly etag: string;
  readonly signal: AbortSignal;
}

export interface FetchRequest extends ObjectRequest {
  readonly root: string;
  /** Path of the new file, relative to the root. Its folder must exist. */
  readonly path: string;
  /** Called just before the file gets its name. It must move or remove any existing file with that name. */
  readonly makeWay: () => void;
}

export interface FetchedFile {
  /** The new file's entry, as read with lstat. */
  readonly entry: LocalEntry;
  /** SHA-256 of the file in lower-case hex. */
  readonly sha256: string;
}

const sync = promisify(fsync);

/**
 * Downloads an object to a file. Rejects with the store's errors, even if the object was replaced; with a system error;
 * with MirrorError `ContentDiffers` if the content does not match the metadata; and with FileChangedError if another
 * program wrote to the path first.
 */
export async function fetchFile(request: FetchRequest): Promise<FetchedFile> {
  const { destination, root, path, signal } = request;
  const content = await get(request);
  const digest = createHash('sha256');
  // Owner and mode bits 07000 are never applied in the mirrored folder, because another client may have written the
  // object.
  const stored = decodeAttributes(plainMetadata(content.info.metadata));
  const attributes = await withXattrs(destination, stored, signal).catch(async (error: unknown) => {
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
  const entry = statWritten(`${root}/${path}`, path, { content, attributes });
  return { entry, sha256: digest.digest('hex') };
}

/** Downloads an object with an unknown SHA-256. Returns its SHA-256 in lower-case hex. */
export async function hashObject(request: ObjectRequest): Promise<string> {
  const { sha256 } = await digestOf(verified(await get(request), undefined));
  return sha256;
}

async function get({ destination, version, etag, signal }: ObjectRequest): Promise<ObjectContent> {
  const { store, bucket, prefix } = destination;
  const object = { ...version, bucket, key: prefix + version.key };
  const conditions = { ifMatch: [etag] };
  const content = await store.getObject({ ...object, conditions }, { signal });
  if (content.info.etag === etag) return content;
  await discard(content.body);
  throw new StorageError(
    'PreconditionFailed',
    `cannot download ${object.key}: the object was replaced`,
  );
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
  await nameFile(await restoreFile(request), sync);
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

/**
 * Returns the entry of the file that was just written. Throws FileChangedError if size or mtime show that another file
 * is now at the path.
 */
function statWritten(
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
