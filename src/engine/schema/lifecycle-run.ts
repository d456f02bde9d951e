/** Defines the record of a lifecycle run, which covers all buckets. */

export interface LifecycleCounts {
  /** The number of checked versions and delete markers. */
  readonly looked: number;
  /** The number of objects that were removed or got a delete marker. */
  readonly expired: number;
  readonly removedVersions: number;
  /** The number of removed delete markers whose keys had no other version. */
  readonly removedMarkers: number;
  readonly abortedUploads: number;
  /** The size of the removed versions and parts. If copies still use the same blobs, less disk space becomes free. */
  readonly bytes: number;
  /** The number of expired versions that were not removed because they are locked. A later run tries again. */
  readonly held: number;
}

export interface LifecycleRun extends LifecycleCounts {
  readonly runId: number;
  /** Whether the run was scheduled or requested by a user. */
  readonly cause: 'daily' | 'asked';
  /** The start of the run by the wall clock, in milliseconds since 1970. */
  readonly startedAt: number;
  /** The end of the run, in milliseconds since 1970. Null while the run is unfinished, also after a restart. */
  readonly finishedAt: number | null;
  /** The trusted time from which the run calculates ages. */
  readonly judgedAt: number;
  /**
   * The `Position` from which the run continues, encoded by `formatPosition`. Null at the start of the run, and after
   * the last slice.
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
