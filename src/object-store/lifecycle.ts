/** Lifecycle of a bucket: the role, and what its rules say (specification, "Lifecycle rule"; semantics B.7). */

import type { CallOptions } from './object-store.ts';
import type { Tag } from './tags.ts';

/** What a rule is for: what fulfils all that is there; the whole bucket where nothing is. */
export interface LifecycleFilter {
  /** Of keys. An empty one is told apart from none, so that a rule is shown as it was given. */
  readonly prefix?: string;
  /** Each of these, and maybe others. */
  readonly tags?: readonly Tag[];
  /** Only objects of more bytes than this. */
  readonly sizeGreaterThan?: number;
  /** Only objects of fewer bytes than this. */
  readonly sizeLessThan?: number;
}

/** When the latest version goes. Days are counted from its creation, and end at a midnight UTC. */
export type Expiration =
  | { readonly days: number }
  /** Milliseconds since 1970, a midnight UTC. */
  | { readonly date: number }
  /** A delete marker that no version is left below goes. */
  | { readonly expiredDeleteMarker: true };

export interface NoncurrentExpiration {
  /** Since the version stopped being the latest. */
  readonly days: number;
  /** So many of the newest previous versions stay, however old they are. */
  readonly keepNewest?: number;
}

export interface LifecycleRule {
  /** The rule's name, unique in its bucket. */
  readonly id: string;
  readonly enabled: boolean;
  readonly filter: LifecycleFilter;
  /** The prefix was given in the form that S3 had before filters, and is shown so. */
  readonly legacyPrefix?: true;
  readonly expiration?: Expiration;
  readonly noncurrentExpiration?: NoncurrentExpiration;
  /** Days after which an upload that was neither completed nor aborted is dropped. */
  readonly abortUploadsAfterDays?: number;
}

/** One that is to be set: without a name it gets one. */
export interface NewLifecycleRule extends Omit<LifecycleRule, 'id'> {
  readonly id?: string;
}

/** When an object is going to expire, and by which rule. */
export interface ObjectExpiration {
  /** Milliseconds since 1970, a midnight UTC. */
  readonly expiresAt: number;
  readonly ruleId: string;
}

export interface LifecycleKeeper {
  /** `NoSuchLifecycleConfiguration` where there are no rules. */
  getLifecycle(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<readonly LifecycleRule[]>;
  /** These take the place of all that were before. Rejects as `checkLifecycle`. */
  putLifecycle(
    request: { readonly bucket: string; readonly rules: readonly NewLifecycleRule[] },
    options?: CallOptions,
  ): Promise<void>;
  /** Resolves also where there are none. */
  deleteLifecycle(request: { readonly bucket: string }, options?: CallOptions): Promise<void>;
}
