/**
 * Defines how a command contains the content of an object: either a small body, or a reference to a blob file that no
 * row refers to yet.
 */

import type { RequestedChecksum, Checksum } from '../../object-store/checksum.ts';

/** A small unencrypted body, which the writer thread hashes. */
export interface InlineContent {
  readonly kind: 'inline';
  /**
   * The body. If the array spans its whole buffer, the buffer is transferred to the writer thread, and no other code
   * may use it.
   */
  readonly bytes: Uint8Array;
  /** The SHA-256 that the client stated, in lowercase hex. The writer thread must verify it. */
  readonly statedSha256?: string | undefined;
  readonly checksum?: RequestedChecksum | undefined;
}

/** A small encrypted body. `sizeBytes`, `md5` and `checksum` describe the unencrypted bytes. */
export interface SealedContent {
  readonly kind: 'sealed';
  readonly bytes: Uint8Array;
  readonly salt: Uint8Array;
  readonly sizeBytes: number;
  readonly md5: string;
  readonly checksum: Checksum;
}

/**
 * A body in a durable blob file to which no row refers yet. `sizeBytes`, `md5` and `checksum` describe the unencrypted
 * body; `sha256` and `segmentChecksums` describe the bytes in the file.
 */
export interface FileContent {
  readonly kind: 'file';
  readonly file: string;
  readonly sizeBytes: number;
  readonly md5: string;
  readonly sha256: Uint8Array;
  readonly segmentChecksums: Uint8Array;
  readonly checksum: Checksum;
  /** For an encrypted file: its size, and the salt from which its key is derived. */
  readonly sealed?: { readonly sizeBytes: number; readonly salt: Uint8Array };
}

export type Content = InlineContent | SealedContent | FileContent;

/** Returns whether the body is stored encrypted. */
export function isSealed(content: Content): boolean {
  return content.kind === 'sealed' || (content.kind === 'file' && content.sealed !== undefined);
}
