/** Declares the checksums that a writer may pass and that reads return (semantics B.11.4, B.13). */

export const CHECKSUM_ALGORITHMS = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const;

export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number];

/** A full-object checksum covers all bytes; a composite checksum covers the checksums of the parts. */
export type ChecksumType = 'COMPOSITE' | 'FULL_OBJECT';

export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  /** Base64 of the checksum's bytes, big-endian. */
  readonly value: string;
}

export interface ObjectChecksum extends Checksum {
  /** A `COMPOSITE` value ends with `-` and the number of parts. */
  readonly type: ChecksumType;
}

/** A checksum that is requested or declared before the bytes have been read. */
export interface RequestedChecksum {
  readonly algorithm: ChecksumAlgorithm;
  /**
   * The expected value; absent if the caller only asks for the checksum. A trailer delivers it after the last byte, so read
   * it only after the end of the stream.
   */
  readonly value?: string | undefined;
}
