/** Types of checksums that a writer may pass and that reads return (semantics B.11.4, B.13). */

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
  /** A `COMPOSITE` value ends with `-` and the number of parts. */
  readonly type: ChecksumType;
}

/** A checksum that is requested or expected before the bytes have been read. */
export interface RequestedChecksum {
  readonly algorithm: ChecksumAlgorithm;
  /**
   * The expected value; absent if the caller only asks for the checksum. A stream may deliver it after the last byte, so
   * read it after the end of the stream.
   */
  readonly value?: string | undefined;
}
