/** Writes an object to a file. The file gets its name only when it is complete and verified. */

import { createHash, hash } from 'node:crypto';
import { failureReason } from '../../base/disk-error.ts';
import {
  type BigIntStats,
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';

import { collect, discard } from '../../object-store/body.ts';
import type { ObjectContent } from '../../object-store/object-store.ts';
import type { StoredAttributes } from '../objects/object-metadata.ts';
import { chunksOf, openFile } from '../local/file-content.ts';
import { renameIfFree } from '../local/set-aside-file.ts';
import type { HeldFolder } from '../local/held-folder.ts';
import { RESTORES_OWNERS } from '../objects/privileges.ts';
import { loadXattrs } from '../local/xattrs.ts';
import { type AppliedAttributes, hasMode, ownerToSet } from '../objects/applied-metadata.ts';
import { temporaryName } from '../local/temporary-name.ts';
import { MirrorError } from '../model/mirror-error.ts';
import type { SetMtime } from '../local/set-mtime.ts';
import type { SyncFile } from '../../base/share-syncs.ts';

export interface RestoreFileRequest {
  /** The folder that contains the file. It must stay open until the file has its name. */
  readonly folder: HeldFolder;
  readonly name: string;
  readonly content: ObjectContent;
  readonly attributes: StoredAttributes;
  readonly setMtime: SetMtime;
  readonly onBytes: (count: number) => void;
  /** Called just before the file gets its name. It must move or remove any existing file with that name. */
  readonly makeWay: () => void;
  /**
   * Called with the reason if the file system cannot store the extended attributes. If absent, the restore of the file
   * fails instead.
   */
  readonly onLoss?: (reason: string) => void;
  /** Where the file is written until it is complete; present if a later restore can continue it. */
  readonly partial?: PartialTarget | undefined;
}

/** A temporary file that may remain after an error. */
export interface PartialTarget {
  readonly name: string;
  /** Creates the file or returns the existing one. `content.range` begins in the file or at its end. */
  open(): number;
  /** Closes the file after an error. Removes the file unless a later restore can continue it. */
  end(error: unknown): void;
}

/** Maximum length of a link target in bytes (PATH_MAX). No file system stores a longer target. */
const LINK_TARGET_LIMIT_BYTES = 4096;
/** Minimum size of a hole in bytes. A hole shorter than a file system block saves no space. */
const HOLE_BYTES = 64 * 1024;
const ZEROS = Buffer.alloc(HOLE_BYTES);
/** Mode of a file whose object contains no mode, before the umask is applied. */
const DEFAULT_MODE = 0o644;
/** Mode of a file until it is complete, so that other users cannot read it. */
const TEMPORARY_MODE = 0o600;

/** A complete, verified file that still has a temporary name. Exactly one of its functions must be called. */
export interface WrittenFile {
  /** The open file, which must be synced before it gets its name. */
  readonly descriptor: number;
  /** Gives the file its name, or removes the file and throws. The caller must still sync the folder. */
  takeName(): void;
  remove(): void;
}

/**
 * Writes the object to a temporary file. Rejects with the errors of the body and of `verified`, or with a system error.
 */
export async function restoreFile(request: RestoreFileRequest): Promise<WrittenFile> {
  const { content, attributes, onBytes } = request;
  const file = await newFile(request);
  try {
    const first = content.range?.first ?? 0;
    const writer = new SparseWriter(file.descriptor, first, attributes.isSparse === true);
    const whole = wholeVerified(content, attributes.sha256, onBytes);
    if (whole) writer.write(whole);
    else {
      const begun = { first: 0, endExclusive: first };
      const before = first > 0 ? chunksOf(file.descriptor, begun, { isBrief: true }) : undefined;
      for await (const chunk of verified(content, attributes.sha256, onBytes, before))
        writer.write(chunk);
    }
    writer.end();
    if (attributes.xattrs !== undefined) await applyXattrs(file.descriptor, request);
    applyAttributes(file.descriptor, { ...request, info: content.info });
  } catch (error) {
    if (request.partial) request.partial.end(error);
    else file.remove();
    throw error;
  }
  return file;
}

/** Makes the file durable, and gives it its name. */
export async function nameFile(file: WrittenFile, sync: SyncFile): Promise<void> {
  try {
    await sync(file.descriptor);
  } catch (error) {
    file.remove();
    throw error;
  }
  file.takeName();
}

/**
 * Creates the file synchronously. Another thread would lock the folder meanwhile, and the main thread's next call in
 * that folder would wait longer for the lock than creating the file takes.
 */
async function newFile(request: RestoreFileRequest): Promise<TemporaryFile> {
  try {
    return new TemporaryFile(request);
  } catch (error) {
    await discard(request.content.body);
    throw error;
  }
}

class TemporaryFile implements WrittenFile {
  readonly descriptor: number;
  readonly #folder: HeldFolder;
  readonly #name: string;
  readonly #makeWay: () => void;
  readonly #path: string;

  constructor({ folder, name, attributes, makeWay, partial }: RestoreFileRequest) {
    const mode = attributes.mode === undefined ? DEFAULT_MODE : TEMPORARY_MODE;
    this.#folder = folder;
    this.#name = name;
    this.#makeWay = makeWay;
    this.#path = folder.at(partial?.name ?? temporaryName());
    this.descriptor = partial ? partial.open() : openSync(this.#path, 'wx', mode);
  }

  /** Synchronous, so that no other file in this restore can interfere. */
  takeName(): void {
    try {
      this.#folder.check();
      this.#makeWay();
      renameIfFree(this.#path, this.#folder.at(this.#name));
    } catch (error) {
      rmSync(this.#path, { force: true });
      throw error;
    } finally {
      closeSync(this.descriptor);
    }
  }

  remove(): void {
    closeSync(this.descriptor);
    rmSync(this.#path, { force: true });
  }
}

/** Sets the attributes of a file that already has the right content, unless they are already set. */
export function restoreAttributes(path: string, wanted: WantedAttributes): void {
  const descriptor = openFile(path);
  try {
    // Setting attributes changes the ctime, and a concurrent comparison of another hard link of the file may rely on
    // the ctime.
    if (!hasAttributes(fstatSync(descriptor, { bigint: true }), wanted))
      applyAttributes(descriptor, wanted);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Returns the file's mtime in nanoseconds since 1970. If another tool uploaded the object without an mtime, returns its
 * LastModified.
 */
export function mtimeOf(attributes: StoredAttributes, lastModifiedAt: number): bigint {
  return attributes.mtimeNs ?? BigInt(Math.trunc(lastModifiedAt)) * 1_000_000n;
}

/**
 * Reads a symbolic link's target. Rejects with RangeError if the target is too long, or with the errors of `verified`.
 */
export function linkTargetOf(
  content: ObjectContent,
  { sha256 }: StoredAttributes,
): Promise<Uint8Array> {
  return collect(verified(content, sha256), LINK_TARGET_LIMIT_BYTES);
}

/**
 * Yields a body's content, and verifies it. Throws MirrorError `ContentDiffers` at the end if it is not the expected
 * content. If the body is only the last part of an object, `before` is the content before that part.
 */
export async function* verified(
  { info, body }: ObjectContent,
  sha256: string | undefined,
  onBytes: (count: number) => void = () => undefined,
  before?: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const digest = createHash('sha256');
  let sizeBytes = 0;
  try {
    for await (const chunk of before ?? []) {
      digest.update(chunk);
      sizeBytes += chunk.byteLength;
    }
  } catch (error) {
    await discard(body);
    throw error;
  }
  for await (const chunk of body) {
    digest.update(chunk);
    sizeBytes += chunk.byteLength;
    onBytes(chunk.byteLength);
    yield chunk;
  }
  checkContent(info, sha256, { sizeBytes, digest: () => digest.digest('hex') });
}

/**
 * Returns the verified content if it is in memory; undefined if it is a stream. Throws the same errors as `verified`.
 */
function wholeVerified(
  { info, bytes, range }: ObjectContent,
  sha256: string | undefined,
  onBytes: (count: number) => void,
): Uint8Array | undefined {
  if (bytes === undefined || range !== undefined) return undefined;
  const { byteLength: sizeBytes } = bytes;
  onBytes(sizeBytes);
  checkContent(info, sha256, { sizeBytes, digest: () => hash('sha256', bytes) });
  return bytes;
}

/** Throws MirrorError `ContentDiffers` if size or digest are not the expected ones. */
function checkContent(
  info: Pick<ObjectContent['info'], 'sizeBytes'>,
  sha256: string | undefined,
  received: { readonly sizeBytes: number; readonly digest: () => string },
): void {
  if (received.sizeBytes !== info.sizeBytes)
    throw new MirrorError(
      'ContentDiffers',
      `the service sent ${received.sizeBytes} bytes instead of ${info.sizeBytes}`,
    );
  if (sha256 !== undefined && received.digest() !== sha256)
    throw new MirrorError('ContentDiffers', 'its SHA-256 is not the one in its metadata');
}

async function applyXattrs(
  descriptor: number,
  { attributes: { xattrs }, onLoss }: RestoreFileRequest,
): Promise<void> {
  if (xattrs === undefined) return;
  const { write } = await loadXattrs();
  try {
    write(descriptor, xattrs);
  } catch (error) {
    if (!onLoss) throw error;
    onLoss(failureReason(error));
  }
}

export interface WantedAttributes extends Pick<RestoreFileRequest, 'setMtime'> {
  readonly attributes: AppliedAttributes;
  readonly info: Pick<ObjectContent['info'], 'lastModifiedAt'>;
}

function hasAttributes(
  stats: BigIntStats,
  { attributes, info }: Pick<WantedAttributes, 'attributes' | 'info'>,
): boolean {
  if (ownerToSet(stats, attributes)) return false;
  if (!hasMode(stats.mode, attributes)) return false;
  return stats.mtimeNs === mtimeOf(attributes, info.lastModifiedAt);
}

/** Sets owner, mode and mtime. Sets the owner first, because a change of owner clears the set-user-ID bit. */
function applyAttributes(
  descriptor: number,
  { attributes, info, setMtime }: WantedAttributes,
): void {
  const { uid, gid, mode } = attributes;
  if (RESTORES_OWNERS && uid !== undefined && gid !== undefined) fchownSync(descriptor, uid, gid);
  if (mode !== undefined) fchmodSync(descriptor, mode);
  setMtime(descriptor, mtimeOf(attributes, info.lastModifiedAt));
}

/** Writes a file sequentially from an offset. If the original file had holes, writes long runs of zeros as holes. */
class SparseWriter {
  readonly #descriptor: number;
  readonly #makesHoles: boolean;
  #at: number;

  constructor(descriptor: number, at: number, makesHoles: boolean) {
    this.#descriptor = descriptor;
    this.#at = at;
    this.#makesHoles = makesHoles;
  }

  write(chunk: Uint8Array): void {
    if (!this.#makesHoles) return this.#writeWhole(chunk);
    for (let first = 0; first < chunk.byteLength; first += HOLE_BYTES) {
      const piece = chunk.subarray(first, first + HOLE_BYTES);
      if (ZEROS.subarray(0, piece.byteLength).equals(piece)) this.#at += piece.byteLength;
      else this.#writeWhole(piece);
    }
  }

  /** Sets the file's size. The space after the last write becomes a hole. */
  end(): void {
    if (this.#makesHoles) ftruncateSync(this.#descriptor, this.#at);
  }

  #writeWhole(chunk: Uint8Array): void {
    for (let done = 0; done < chunk.byteLength;) {
      const count = writeSync(this.#descriptor, chunk, done, chunk.byteLength - done, this.#at);
      done += count;
      this.#at += count;
    }
  }
}
