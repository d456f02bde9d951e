/**
 * Declares the requests and pages of listings. One lists objects, that is, their current versions; the other lists all
 * versions.
 */

import type { Retention } from './object-store.ts';

export interface ListObjectsRequest {
  readonly bucket: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  /** At least 0. The default and the maximum are 1000; a larger value counts as 1000. */
  readonly maxKeys?: number;
  /** Lists only entries after this name, in byte order. */
  readonly startAfter?: string;
  /** `nextToken` of the previous page. Overrides `startAfter`. */
  readonly continuationToken?: string;
  /** Whether to return the owner of each object. This costs the store more. */
  readonly fetchOwner?: boolean;
  /**
   * Whether the listing succeeds if the store is damaged: the page then contains the ranges of unreadable names as `gaps`.
   * Only the embedded store supports it.
   */
  readonly skipsDamage?: boolean;
}

/** A range of names that cannot be read: from `from`, inclusive, up to `to`, exclusive, or to the end. */
export interface ListingGap {
  readonly from: string;
  readonly to?: string;
}

export interface ListedObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly lastModifiedAt: number;
  /** Storage user id of the owner, if it was requested and the service returns it. */
  readonly owner?: string;
}

export interface ObjectPage {
  readonly objects: readonly ListedObject[];
  readonly commonPrefixes: readonly string[];
  /** Present if and only if there are more entries. */
  readonly nextToken?: string;
  /** Absent if all names could be read. */
  readonly gaps?: readonly ListingGap[];
}

export interface ListVersionsRequest {
  readonly bucket: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  readonly maxKeys?: number;
  /** Continues after this key or, with `versionIdMarker`, after that version of the key. */
  readonly keyMarker?: string;
  readonly versionIdMarker?: string;
  /** As in `ListObjectsRequest`. */
  readonly skipsDamage?: boolean;
  /** Whether to return the locks of the versions. Only the embedded store supports it. */
  readonly withLocks?: boolean;
}

/** A version or a delete marker. Those of one key are listed newest first. */
export interface ListedVersion {
  readonly kind: 'version' | 'delete-marker';
  readonly key: string;
  /** `null` for the null version. */
  readonly versionId: string;
  readonly isLatest: boolean;
  readonly lastModifiedAt: number;
  /** 0 for a delete marker. */
  readonly sizeBytes: number;
  /** Empty for a delete marker. */
  readonly etag: string;
  readonly owner?: string;
  /** Set if locks were requested and the version has a retention, expired or not. */
  readonly retention?: Retention;
  /** Set if locks were requested and the version has a legal hold. */
  readonly legalHold?: true;
}

export interface VersionPage {
  readonly versions: readonly ListedVersion[];
  readonly commonPrefixes: readonly string[];
  /** Present if and only if there are more entries. */
  readonly next?: { readonly keyMarker: string; readonly versionIdMarker?: string };
  /** Absent if all names could be read. */
  readonly gaps?: readonly ListingGap[];
}
