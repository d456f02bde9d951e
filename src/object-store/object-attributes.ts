/** Defines GetObjectAttributes, which returns selected attributes of an object without its bytes or headers. */

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
  /** The attributes to return. At least one is required. */
  readonly wanted: readonly ObjectAttributeName[];
  /** The maximum number of parts, at least 0. The default is 1000; a larger value counts as 1000. */
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
  /** The number of parts of the whole object, not of this page. */
  readonly totalCount: number;
  readonly parts: readonly ObjectPart[];
  /** The marker for the next page. Present if and only if there are more parts. */
  readonly nextPartNumberMarker?: number;
}

/** The requested attributes, as far as the object has them. Only a multipart object has `parts`. */
export interface ObjectDescription {
  readonly lastModifiedAt: number;
  /** The version ID; absent in a bucket that never had versioning. */
  readonly versionId?: string;
  readonly etag?: string;
  readonly checksum?: ObjectChecksum;
  readonly parts?: ObjectParts;
  readonly storageClass?: 'STANDARD';
  readonly sizeBytes?: number;
}

export interface ObjectAttributeReader {
  /** Returns the requested attributes of an object. Rejects with the errors of `headObject`. */
  getObjectAttributes(
    request: GetObjectAttributesRequest,
    options?: CallOptions,
  ): Promise<ObjectDescription>;
}
