/** One run of the lifecycle over all buckets, as it is kept and told. */

export interface LifecycleCounts {
  /** Versions and delete markers that were looked at. */
  readonly looked: number;
  /** Objects that went, or got a delete marker on top. */
  readonly expired: number;
  readonly removedVersions: number;
  /** Delete markers that were alone. */
  readonly removedMarkers: number;
  readonly abortedUploads: number;
  /** Of the versions and parts that went for good. A copy may still need them. */
  readonly bytes: number;
  /** Versions whose time has come, but which are locked: a later run tries again. */
  readonly held: number;
}

export interface LifecycleRun extends LifecycleCounts {
  readonly runId: number;
  /** Whether the day brought it, or somebody asked for it. */
  readonly cause: 'daily' | 'asked';
  /** Milliseconds since 1970, by the wall clock. */
  readonly startedAt: number;
  /** Null while it is under way, also across a restart. */
  readonly finishedAt: number | null;
  /** The instant by which ages are judged, of the time that is trusted. */
  readonly judgedAt: number;
  /** JSON of a `Position`: where it goes on. Null at its beginning. */
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
