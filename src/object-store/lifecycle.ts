/** Defines a bucket's lifecycle rules and their operations (specification, "Lifecycle rule"; semantics B.7). */

import type { CallOptions } from './object-store.ts';
import type { Tag } from './tags.ts';

/** Selects the objects that meet all conditions. An empty filter selects the whole bucket. */
export interface LifecycleFilter {
  /**
   * A key prefix. An empty prefix is distinguished from an absent one, so that a rule is returned exactly as it was
   * put.
   */
  readonly prefix?: string;
  /** Tags that the object must have. The object can have further tags. */
  readonly tags?: readonly Tag[];
  /** Selects objects that have more bytes than this. */
  readonly sizeGreaterThan?: number;
  /** Selects objects that have fewer bytes than this. */
  readonly sizeLessThan?: number;
}

/**
 * When the current version of an object expires. Days are counted from the version's creation, and the time is rounded
 * up to midnight UTC.
 */
export type Expiration =
  | { readonly days: number }
  /** The expiration time in milliseconds since 1970, which must be a midnight UTC. */
  | { readonly date: number }
  /** Removes delete markers whose key has no other version. */
  | { readonly expiredDeleteMarker: true };

export interface NoncurrentExpiration {
  /** The number of days after the version became noncurrent. */
  readonly days: number;
  /** The number of newest noncurrent versions to keep, whatever their age. */
  readonly keepNewest?: number;
}

export interface LifecycleRule {
  /** The rule's ID, which is unique within the bucket. */
  readonly id: string;
  readonly enabled: boolean;
  readonly filter: LifecycleFilter;
  /**
   * True if the rule has the deprecated `Prefix` element instead of a filter. Responses return the rule in the same
   * form.
   */
  readonly legacyPrefix?: true;
  readonly expiration?: Expiration;
  readonly noncurrentExpiration?: NoncurrentExpiration;
  /** The number of days after which an unfinished multipart upload is aborted. */
  readonly abortUploadsAfterDays?: number;
}

/** A lifecycle rule to put. If it has no ID, the store generates one. */
export interface NewLifecycleRule extends Omit<LifecycleRule, 'id'> {
  readonly id?: string;
}

/** The time at which an object expires, and the rule that expires it. */
export interface ObjectExpiration {
  /** The expiration time in milliseconds since 1970, which is a midnight UTC. */
  readonly expiresAt: number;
  readonly ruleId: string;
}

export interface LifecycleKeeper {
  /** Returns the bucket's lifecycle rules. Rejects with `NoSuchLifecycleConfiguration` if the bucket has none. */
  getLifecycle(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<readonly LifecycleRule[]>;
  /** Replaces all lifecycle rules of the bucket. Rejects with the errors of `checkLifecycle`. */
  putLifecycle(
    request: { readonly bucket: string; readonly rules: readonly NewLifecycleRule[] },
    options?: CallOptions,
  ): Promise<void>;
  /** Removes all lifecycle rules of the bucket. Also resolves if the bucket has none. */
  deleteLifecycle(request: { readonly bucket: string }, options?: CallOptions): Promise<void>;
}
