/**
 * Declares the actions of a lifecycle run on versions and uploads, and their results. Both are plain data, because they
 * cross threads.
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

/** One transaction of a run: its actions, and its new position. */
export interface RunLifecycle {
  /** The run with its previous counts, and with its position and end after this transaction. */
  readonly run: LifecycleRun;
  readonly targets: readonly LifecycleTarget[];
}

/** The counts that one action adds. Empty if the target has changed or no rule applies to it any more. */
export type Done = Partial<Omit<LifecycleCounts, 'looked'>>;
