/**
 * Defines the actions of a lifecycle run on versions and uploads, and their results. Both are plain data, because they
 * are sent between threads.
 */

import type { VersionAction } from '../../../object-store/rules/lifecycle-evaluation.ts';
import type { LifecycleCounts, LifecycleRun } from '../../schema/lifecycle-run.ts';

interface ActionTarget {
  readonly bucketId: number;
  readonly bucket: string;
  readonly key: string;
}

export interface VersionTarget extends ActionTarget {
  readonly action: VersionAction;
  readonly versionId: string;
  readonly sequence: number;
}

export interface UploadTarget extends ActionTarget {
  readonly action: 'abort-upload';
  readonly uploadId: string;
}

export type LifecycleTarget = VersionTarget | UploadTarget;

/** One transaction of a lifecycle run: its actions, and the new position of the run. */
export interface RunLifecycle {
  /** The record of the run. Its counts do not include this transaction; its position and end do. */
  readonly run: LifecycleRun;
  readonly targets: readonly LifecycleTarget[];
}

/**
 * The counts that one action adds to the run. Empty if the target has changed or if no rule applies to the target any
 * more.
 */
export type Done = Partial<Omit<LifecycleCounts, 'looked'>>;
