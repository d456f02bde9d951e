/** What the writer stores for an object: a small body in the command itself, or a blob file that no row refers to yet. */

import type { RequestedChecksum, Checksum } from '../../object-store/checksum.ts';

/** A small body, hashed where it is stored. */
export interface InlineContent {
  readonly kind: 'inline';
  /** Nothing else may use the buffer if it has no other bytes: it moves to the writer thread. */
  readonly bytes: Uint8Array;
  /** The stated SHA-256 in lower-case hex, which must be verified. */
  readonly statedSha256?: string | undefined;
  readonly checksum?: RequestedChecksum | undefined;
}

/** A small encrypted body. Size, digest and checksum are of the plain bytes. */
export interface SealedContent {
  readonly kind: 'sealed';
  readonly bytes: Uint8Array;
  readonly salt: Uint8Array;
  readonly sizeBytes: number;
  readonly md5: string;
  readonly checksum: Checksum;
}

/**
 * A body in a durable blob file to which no row refers yet. Size, MD5 and checksum are of the plain bytes, the other fields
 * of the bytes in the file.
 */
export interface FileContent {
  readonly kind: 'file';
  readonly file: string;
  readonly sizeBytes: number;
  readonly md5: string;
  readonly sha256: Uint8Array;
  readonly segmentChecksums: Uint8Array;
  readonly checksum: Checksum;
  /** Where the file is encrypted: how long it is, and what its key is derived with. */
  readonly sealed?: { readonly sizeBytes: number; readonly salt: Uint8Array };
}

export type Content = InlineContent | SealedContent | FileContent;

/** Whether the body is stored encrypted. */
export function isSealed(content: Content): boolean {
  return content.kind === 'sealed' || (content.kind === 'file' && content.sealed !== undefined);
}
