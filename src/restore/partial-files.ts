/**
 * Lets a restore continue large files from an interrupted restore. Their temporary names depend on the object, so that
 * a later restore finds them. Their content is verified together with the rest of the object.
 */

import { hash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  rmSync,
} from 'node:fs';

import type { HeldFolder } from '../mirror/local/held-folder.ts';
import { within } from '../mirror/local/local-entry.ts';
import { partialName } from '../mirror/local/temporary-name.ts';
import { parentOf } from '../mirror/model/local-path.ts';
import type { StoredAttributes } from '../mirror/objects/object-metadata.ts';
import type { PartialTarget } from '../mirror/transfer/write-file.ts';
import { TransportError } from '../object-store/transport-error.ts';
import type { FileTarget } from './restore-table.ts';

/**
 * Minimum size in bytes of a file that can be continued, and of its existing part. A smaller part is quickly downloaded
 * again.
 */
export const RESUMABLE_BYTES = 8 * 1024 ** 2;
const FLAGS = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const MODE = 0o600;
const OTHERS_ACCESS = 0o077n;

/** A large file that is written under a temporary name. */
export class PartialFile implements PartialTarget {
  readonly name: string;
  /** Number of bytes that are already in the file. */
  readonly sizeBytes: number;
  readonly #path: string;
  readonly #signal: AbortSignal;
  #descriptor: number | undefined;

  constructor({ folder, name, signal, existing }: PartialOptions) {
    this.name = name;
    this.sizeBytes = existing?.sizeBytes ?? 0;
    this.#path = folder.at(name);
    this.#signal = signal;
    this.#descriptor = existing?.descriptor;
  }

  open(): number {
    this.#descriptor ??= openSync(this.#path, 'wx+', MODE);
    return this.#descriptor;
  }

  /** Closes the file. Keeps it only if the restore was aborted or lost its connection. */
  end(error: unknown): void {
    if (this.#signal.aborted || error instanceof TransportError) this.#close();
    else this.remove();
  }

  remove(): void {
    this.#close();
    rmSync(this.#path, { force: true });
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

interface PartialOptions {
  readonly folder: HeldFolder;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly existing?: { readonly descriptor: number; readonly sizeBytes: number };
}

/**
 * Returns whether a file is large enough to be continued, and has a digest that shows whether its parts belong
 * together.
 */
export function isResumable({ sizeBytes }: FileTarget, attributes: StoredAttributes): boolean {
  const { kind, mode, sha256 } = attributes;
  const isDescribed = mode !== undefined && sha256 !== undefined;
  return kind === 'file' && isDescribed && sizeBytes >= RESUMABLE_BYTES;
}

export function newPartial(
  folder: HeldFolder,
  target: FileTarget,
  signal: AbortSignal,
): PartialFile {
  return new PartialFile({ folder, name: nameOf(target), signal });
}

/**
 * Opens the partial file from an interrupted restore; returns undefined if there is none. Removes a file that is larger
 * than the object, or that another user may have written to or may still write to.
 */
export function openPartial(
  folder: HeldFolder,
  target: FileTarget,
  signal: AbortSignal,
): PartialFile | undefined {
  if (target.sizeBytes < RESUMABLE_BYTES) return undefined;
  const name = nameOf(target);
  const path = folder.at(name);
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
  const descriptor = openSync(path, FLAGS);
  const stats = fstatSync(descriptor, { bigint: true });
  if (isOwn(stats) && stats.size <= BigInt(target.sizeBytes))
    return new PartialFile({
      folder,
      name,
      signal,
      existing: { descriptor, sizeBytes: Number(stats.size) },
    });
  closeSync(descriptor);
  rmSync(path, { force: true });
  return undefined;
}

/** Returns the partial file's path, relative to the restored folder; undefined if the file cannot be continued. */
export function partialPathOf(target: FileTarget): string | undefined {
  if (target.sizeBytes < RESUMABLE_BYTES) return undefined;
  return within(parentOf(target.path), nameOf(target));
}

function nameOf({ key, versionId, sizeBytes }: FileTarget): string {
  return partialName(hash('sha256', JSON.stringify([key, versionId ?? null, sizeBytes])));
}

function isOwn({ mode, uid, nlink, size }: BigIntStats): boolean {
  const isFile = (mode & BigInt(constants.S_IFMT)) === BigInt(constants.S_IFREG);
  const isPrivate = Number(uid) === process.geteuid?.() && (mode & OTHERS_ACCESS) === 0n;
  return isFile && isPrivate && nlink === 1n && size >= BigInt(RESUMABLE_BYTES);
}
