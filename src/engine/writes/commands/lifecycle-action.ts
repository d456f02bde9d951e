/** What a run wants done with one version or upload, and what became of it. Both cross threads: plain data only. */

import type { VersionAction } from '../../../object-store/rules/lifecycle-judgement.ts';
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

/** One transaction: what is done, and with it how far the run has come. */
export interface RunLifecycle {
  /** With the counts of before, and the position and end of afterwards. */
  readonly run: LifecycleRun;
  readonly targets: readonly LifecycleTarget[];
}

/** What one target adds. Nothing for one that is no longer what it was, or no longer meant by a rule. */
export type Done = Partial<Omit<LifecycleCounts, 'looked'>>;
