/** What can be asked about an object without its bytes and headers: the role of GetObjectAttributes. */

import type { Checksum, ObjectChecksum } from './checksum.ts';
import type { CustomerKey } from './customer-key.ts';
import type { CallOptions, ObjectRef } from './object-store.ts';

export const OBJECT_ATTRIBUTE_NAMES = [
  'ETag',
  'Checksum',
  'ObjectParts',
  'StorageClass',
  'ObjectSize',
] as const;

export type ObjectAttributeName = (typeof OBJECT_ATTRIBUTE_NAMES)[number];

export interface GetObjectAttributesRequest extends ObjectRef {
  /** At least one. */
  readonly wanted: readonly ObjectAttributeName[];
  /** 0 to 1000; more counts as 1000, which is the default. */
  readonly maxParts?: number;
  readonly partNumberMarker?: number;
  readonly customerKey?: CustomerKey;
}

/** One part of a multipart object. */
export interface ObjectPart {
  readonly partNumber: number;
  readonly sizeBytes: number;
  readonly checksum?: Checksum;
}

export interface ObjectParts {
  /** Of the object, not of the page. */
  readonly totalCount: number;
  readonly parts: readonly ObjectPart[];
  /** Present exactly when there is more. */
  readonly nextPartNumberMarker?: number;
}

/** Of what was wanted, what the object has; `parts` only of a multipart one. */
export interface ObjectDescription {
  readonly lastModifiedAt: number;
  /** Absent in a bucket that never had versioning. */
  readonly versionId?: string;
  readonly etag?: string;
  readonly checksum?: ObjectChecksum;
  readonly parts?: ObjectParts;
  readonly storageClass?: 'STANDARD';
  readonly sizeBytes?: number;
}

export interface ObjectAttributeReader {
  /** Rejects as `headObject` does. */
  getObjectAttributes(
    request: GetObjectAttributesRequest,
    options?: CallOptions,
  ): Promise<ObjectDescription>;
}
