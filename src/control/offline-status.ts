/** Defines the type of the report that `holdfast status` prints while no daemon is running. */

/** The record of the last daemon. Times are in milliseconds since 1970. */
export interface DaemonLife {
  readonly pid: number;
  readonly version: string;
  readonly startedAt: number;
  /** When the daemon stopped. Absent if it did not shut down cleanly. */
  readonly stoppedAt?: number | undefined;
  readonly reason?: string | undefined;
}

export interface OfflineJob {
  readonly name: string;
  readonly folder: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly target: string;
  readonly paused: boolean;
  readonly targetUrl: string;
  readonly lastRoundAt?: number;
  /** Why the job's state could not be read. Absent if it was read. */
  readonly problem?: string;
}

export interface OfflineStatus {
  readonly running: false;
  readonly home: string;
  readonly daemon?: DaemonLife;
  /** When a daemon that did not shut down cleanly last wrote to its log, in milliseconds since 1970. */
  readonly lastSignAt?: number;
  readonly jobs: readonly OfflineJob[];
}
