/** Declares the run conditions and rate limits of a job. An absent setting means no limit. */

/**
 * Part of each day, in minutes after midnight in local time. It includes midnight if `fromMinute` is greater than
 * `toMinute`.
 */
export interface DayPart {
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** A bandwidth limit. Without a part of the day, it always applies. */
export interface BandwidthPart extends Partial<DayPart> {
  readonly bytesPerSecond: number;
}

export type Priority = 'low' | 'normal' | 'high';

export interface JobLimitSettings {
  /** Bandwidth limits. The first entry that covers the current time applies; otherwise the bandwidth is unlimited. */
  readonly bandwidth?: readonly BandwidthPart[];
  /** Cron expression of the job's runs. A missed run starts later. */
  readonly schedule?: string;
  /** The part of the day in which the job runs. */
  readonly window?: DayPart;
  readonly onBattery?: 'run' | 'pause';
  readonly onMetered?: 'run' | 'pause';
  readonly priority?: Priority;
}
