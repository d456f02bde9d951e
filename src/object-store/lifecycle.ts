/** Declares the lifecycle rules of a bucket and their operations (specification, "Lifecycle rule"; semantics B.7). */

import type { CallOptions } from './object-store.ts';
import type { Tag } from './tags.ts';

/** Selects the objects of a rule: those that meet all conditions. An empty filter selects the whole bucket. */
export interface LifecycleFilter {
  /** A key prefix. An empty prefix is kept apart from an absent one, so that a rule is returned as it was put. */
  readonly prefix?: string;
  /** The object must have all of these tags, and may have others. */
  readonly tags?: readonly Tag[];
  /** Selects objects of more bytes than this. */
  readonly sizeGreaterThan?: number;
  /** Selects objects of fewer bytes than this. */
  readonly sizeLessThan?: number;
}

/** When the latest version expires. Days are counted from its creation and rounded up to midnight UTC. */
export type Expiration =
  | { readonly days: number }
  /** Milliseconds since 1970, a midnight UTC. */
  | { readonly date: number }
  /** Removes delete markers that have no noncurrent version. */
  | { readonly expiredDeleteMarker: true };

export interface NoncurrentExpiration {
  /** Days since the version became noncurrent. */
  readonly days: number;
  /** The number of newest noncurrent versions to keep, whatever their age. */
  readonly keepNewest?: number;
}

export interface LifecycleRule {
  /** Unique within the bucket. */
  readonly id: string;
  readonly enabled: boolean;
  readonly filter: LifecycleFilter;
  /** Set if the rule has the deprecated `Prefix` element instead of a filter. Responses return it in the same form. */
  readonly legacyPrefix?: true;
  readonly expiration?: Expiration;
  readonly noncurrentExpiration?: NoncurrentExpiration;
  /** Days after which an incomplete multipart upload is aborted. */
  readonly abortUploadsAfterDays?: number;
}

/** A rule to put. If it has no id, the store generates one. */
export interface NewLifecycleRule extends Omit<LifecycleRule, 'id'> {
  readonly id?: string;
}

/** When an object expires, and by which rule. */
export interface ObjectExpiration {
  /** Milliseconds since 1970, a midnight UTC. */
  readonly expiresAt: number;
  readonly ruleId: string;
}

export interface LifecycleKeeper {
  /** Returns the rules. Rejects with `NoSuchLifecycleConfiguration` if the bucket has none. */
  getLifecycle(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<readonly LifecycleRule[]>;
  /** Replaces all rules. Rejects with the errors of `checkLifecycle`. */
  putLifecycle(
    request: { readonly bucket: string; readonly rules: readonly NewLifecycleRule[] },
    options?: CallOptions,
  ): Promise<void>;
  /** Resolves even if the bucket has no rules. */
  deleteLifecycle(request: { readonly bucket: string }, options?: CallOptions): Promise<void>;
}
