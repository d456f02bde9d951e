/** Declares the record of a lifecycle run over all buckets. */

export interface LifecycleCounts {
  /** Versions and delete markers that were checked. */
  readonly looked: number;
  /** Objects that were removed or got a delete marker. */
  readonly expired: number;
  readonly removedVersions: number;
  /** Delete markers that were the only version of their key. */
  readonly removedMarkers: number;
  readonly abortedUploads: number;
  /** Size of the removed versions and parts. A copy may still use the same blobs. */
  readonly bytes: number;
  /** Expired versions that are locked. A later run tries again. */
  readonly held: number;
}

export interface LifecycleRun extends LifecycleCounts {
  readonly runId: number;
  /** Whether the run was scheduled or requested. */
  readonly cause: 'daily' | 'asked';
  /** Milliseconds since 1970, by the wall clock. */
  readonly startedAt: number;
  /** Null while the run is in progress, also across a restart. */
  readonly finishedAt: number | null;
  /** The trusted time by which ages are calculated. */
  readonly judgedAt: number;
  /**
   * The `Position` from which the run continues, as `formatPosition` returns it. Null at the start of the run, and after
   * its last slice.
   */
  readonly position: string | null;
}

export const NOTHING_DONE: LifecycleCounts = {
  looked: 0,
  expired: 0,
  removedVersions: 0,
  removedMarkers: 0,
  abortedUploads: 0,
  bytes: 0,
  held: 0,
};

export function addCounts(a: LifecycleCounts, b: Partial<LifecycleCounts>): LifecycleCounts {
  return {
    looked: a.looked + (b.looked ?? 0),
    expired: a.expired + (b.expired ?? 0),
    removedVersions: a.removedVersions + (b.removedVersions ?? 0),
    removedMarkers: a.removedMarkers + (b.removedMarkers ?? 0),
    abortedUploads: a.abortedUploads + (b.abortedUploads ?? 0),
    bytes: a.bytes + (b.bytes ?? 0),
    held: a.held + (b.held ?? 0),
  };
}

export const RUN_COLUMNS = `run_id AS runId, cause, started_at AS startedAt, finished_at AS finishedAt,
  judged_at AS judgedAt, position, looked, expired, removed_versions AS removedVersions,
  removed_markers AS removedMarkers, aborted_uploads AS abortedUploads, bytes, held`;
