/** Pages of a bucket: objects by their current versions, and all versions. */

export interface ListObjectsRequest {
  readonly bucket: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  /** 0 to 1000; more counts as 1000, which is the default. */
  readonly maxKeys?: number;
  /** Only entries after this name, in byte order. */
  readonly startAfter?: string;
  /** `nextToken` of the page before; wins over `startAfter`. */
  readonly continuationToken?: string;
  /** Whether each object's owner is told, which costs the store more. */
  readonly fetchOwner?: boolean;
  /** Leaves out names that a damaged store cannot read, as gaps, instead of failing. Known to the embedded store. */
  readonly skipsDamage?: boolean;
}

/** Names from `from` on, up to `to` or the end, of which none could be read. */
export interface ListingGap {
  readonly from: string;
  readonly to?: string;
}

export interface ListedObject {
  readonly key: string;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly lastModifiedAt: number;
  /** Storage user id of the owner, where it was asked for and the service tells it. */
  readonly owner?: string;
}

export interface ObjectPage {
  readonly objects: readonly ListedObject[];
  readonly commonPrefixes: readonly string[];
  /** Present exactly when there is more. */
  readonly nextToken?: string;
  /** Absent for none. */
  readonly gaps?: readonly ListingGap[];
}

export interface ListVersionsRequest {
  readonly bucket: string;
  readonly prefix?: string;
  readonly delimiter?: string;
  readonly maxKeys?: number;
  /** Alone: continue after this key. With `versionIdMarker`: after that version of it. */
  readonly keyMarker?: string;
  readonly versionIdMarker?: string;
  /** As in `ListObjectsRequest`. */
  readonly skipsDamage?: boolean;
}

/** A version or a delete marker. Within a key they are listed newest first. */
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
}

export interface VersionPage {
  readonly versions: readonly ListedVersion[];
  readonly commonPrefixes: readonly string[];
  /** Present exactly when there is more. */
  readonly next?: { readonly keyMarker: string; readonly versionIdMarker?: string };
  /** Absent for none. */
  readonly gaps?: readonly ListingGap[];
}
