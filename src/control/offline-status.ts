/** What `holdfast status` reports while no daemon runs. */

/** Of the last daemon; times are milliseconds since 1970. */
export interface DaemonLife {
  readonly pid: number;
  readonly version: string;
  readonly startedAt: number;
  /** Absent where it did not stop in order. */
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
  /** Why its state could not be read. */
  readonly problem?: string;
}

export interface OfflineStatus {
  readonly running: false;
  readonly home: string;
  readonly daemon?: DaemonLife;
  /** When a daemon that did not stop in order last wrote to its log. */
  readonly lastSignAt?: number;
  readonly jobs: readonly OfflineJob[];
}
