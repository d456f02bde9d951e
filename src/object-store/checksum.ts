/** The words for checksums: what a writer may state of bytes, and a reader gets back (semantics B.11.4, B.13). */

export const CHECKSUM_ALGORITHMS = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const;

export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number];

/** Of all bytes of the object, or of the checksums of its parts. */
export type ChecksumType = 'COMPOSITE' | 'FULL_OBJECT';

export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  /** Base64 of the checksum's bytes, the highest first. */
  readonly value: string;
}

export interface ObjectChecksum extends Checksum {
  /** Of a `COMPOSITE` one, `value` goes on with `-` and the number of parts. */
  readonly type: ChecksumType;
}

/** What is known of a checksum before the bytes have been read. */
export interface AskedChecksum {
  readonly algorithm: ChecksumAlgorithm;
  /**
   * What the bytes must give; absent where it is only asked for. Of a stream it may come with the end of the
   * bytes: to be looked at after it.
   */
  readonly value?: string | undefined;
}
