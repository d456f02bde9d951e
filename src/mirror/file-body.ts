/** The content of one entry, read so that it is never a mixture of two states of the file. */

import type { Clock } from '../base/clock.ts';
import type { Body } from '../object-store/body.ts';
import type { LocalEntry, Problem } from './types.ts';

/** The file changed after it was hashed: what the stream gave so far is not what was promised. */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError';
  readonly path: string;

  constructor(path: string) {
    super(`read ${path}: it changed while it was being read`);
    this.path = path;
  }
}

/** Bytes that were read and hashed once; every stream proves to be the same ones or throws FileChangedError. */
export interface FileContent extends Body {
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly replayable: true;
  /** The bytes from `first` up to and without `endExclusive`, as a part of a multipart upload. */
  slice(first: number, endExclusive: number): Body;
}

export type FileReading =
  | {
      readonly status: 'read';
      /** As it was when it was read: newer than the scan's, perhaps. */
      readonly entry: LocalEntry;
      /** Nanoseconds since 1970. */
      readonly mtimeNs: bigint;
      readonly sha256: string;
      readonly body: FileContent;
    }
  /** It changed while it was read: try again later. */
  | { readonly status: 'busy'; readonly problem: Problem }
  /** Not there any more, or of another kind: the next scan of its folder will tell. */
  | { readonly status: 'gone' }
  | { readonly status: 'unreadable'; readonly problem: Problem };

export interface ReadOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

export declare function readFileStable(
  root: string,
  entry: LocalEntry,
  options: ReadOptions,
): Promise<FileReading>;

/** Whether the baseline's digest still stands for the entry. */
export declare function unchanged(baseline: LocalEntry, entry: LocalEntry): boolean;
