/**
 * Defines the requests and the pages of listings. ListObjects requests return objects (current versions); ListVersions
 * requests return all versions.
 */

import type { Retention } from './object-store.ts';

export interface ListObjectsRequest {
  readonly bucket: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  /** The maximum number of entries, at least 0. The default is 1000; a larger value counts as 1000. */
  readonly maxKeys?: number;
  /** Lists only entries whose name sorts after this one in byte order. */
  readonly startAfter?: string;
  /** The `nextToken` of the previous page. Overrides `startAfter`. */
  readonly continuationToken?: string;
  /** Whether to return the owner of each object, which makes the listing slower. */
  readonly fetchOwner?: boolean;
  /**
   * Whether the listing succeeds even if the store's database is damaged. The page then contains the ranges of
   * unreadable names in `gaps`. Only the embedded store supports this option.
   */
  readonly skipsDamage?: boolean;
}

/**
 * A range of names that cannot be read, from `from` (inclusive) to `to` (exclusive). If `to` is absent, the range has
 * no end.
 */
export interface ListingGap {
  readonly from: string;
  readonly to?: string;
}

export interface ListedObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly lastModifiedAt: number;
  /** The storage user ID of the owner, if the request asked for owners and the service returns them. */
  readonly owner?: string;
}

export interface ObjectPage {
  readonly objects: readonly ListedObject[];
  readonly commonPrefixes: readonly string[];
  /** The token for the next page. Present if and only if there are more entries. */
  readonly nextToken?: string;
  /** The ranges of names that could not be read. Absent if all names could be read. */
  readonly gaps?: readonly ListingGap[];
}

export interface ListVersionsRequest {
  readonly bucket: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  readonly maxKeys?: number;
  /** The listing continues after this key or, with `versionIdMarker`, after that version of the key. */
  readonly keyMarker?: string;
  readonly versionIdMarker?: string;
  /** Whether the listing succeeds even if the store's database is damaged; see `ListObjectsRequest`. */
  readonly skipsDamage?: boolean;
  /** Whether to return the locks of the versions. Only the embedded store supports this option. */
  readonly withLocks?: boolean;
}

/** A version or a delete marker. The versions of a key are listed from newest to oldest. */
export interface ListedVersion {
  readonly kind: 'version' | 'delete-marker';
  readonly key: string;
  /** The version ID; `null` for the null version. */
  readonly versionId: string;
  readonly isLatest: boolean;
  readonly lastModifiedAt: number;
  /** The size of the version; 0 for a delete marker. */
  readonly sizeBytes: number;
  /** The ETag of the version; empty for a delete marker. */
  readonly etag: string;
  readonly owner?: string;
  /** The version's retention, even if it has ended. Present only if the request asked for locks. */
  readonly retention?: Retention;
  /** Whether the version has a legal hold. Present only if the request asked for locks. */
  readonly legalHold?: true;
}

export interface VersionPage {
  readonly versions: readonly ListedVersion[];
  readonly commonPrefixes: readonly string[];
  /** The markers for the next page. Present if and only if there are more entries. */
  readonly next?: { readonly keyMarker: string; readonly versionIdMarker?: string };
  /** The ranges of names that could not be read. Absent if all names could be read. */
  readonly gaps?: readonly ListingGap[];
}
