/** Whether the folder at a job's root is still the one that was mirrored (an unmounted disk is not). */

export interface RootIdentity {
  /** UUID of the file system, where the system tells one; it survives a boot, the device number does not. */
  readonly fileSystemId?: string;
  readonly dev: number;
  readonly ino: number;
  /** Some names of the root's entries. */
  readonly sample: readonly string[];
}

export type RootComparison =
  | 'same'
  | { readonly kind: 'missing' | 'empty' | 'different'; readonly reason: string };

/** Undefined when there is no folder at `path`. */
export declare function identifyRoot(path: string): RootIdentity | undefined;

export declare function compareRoot(
  known: RootIdentity,
  now: RootIdentity | undefined,
): RootComparison;
