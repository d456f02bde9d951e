/** Defines the checksums that a client can state in a write and that reads return (semantics B.11.4, B.13). */

export const CHECKSUM_ALGORITHMS = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const;

export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number];

/**
 * The type of an object's checksum. A full-object checksum is calculated from all bytes, and a composite checksum from
 * the checksums of the parts.
 */
export type ChecksumType = 'COMPOSITE' | 'FULL_OBJECT';

export interface Checksum {
  readonly algorithm: ChecksumAlgorithm;
  /** The checksum's big-endian bytes in base64. */
  readonly value: string;
}

export interface ObjectChecksum extends Checksum {
  /** The type of the checksum. A `COMPOSITE` value ends with `-` and the number of parts. */
  readonly type: ChecksumType;
}

/** A checksum that is requested or announced before the bytes have been read. */
export interface RequestedChecksum {
  readonly algorithm: ChecksumAlgorithm;
  /**
   * The expected value; absent if the client only requests the checksum. A trailer contains the value after the last
   * byte, so it can be read only after the end of the stream.
   */
  readonly value?: string | undefined;
}
