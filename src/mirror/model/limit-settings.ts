/** Defines the types of a job's run conditions and rate limits. An absent setting means no limit. */

/**
 * Part of each day, in minutes after midnight in local time. If `fromMinute` is greater than `toMinute`, it extends
 * past midnight.
 */
export interface DayPart {
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** A bandwidth limit. It always applies if no part of the day is given. */
export interface BandwidthPart extends Partial<DayPart> {
  readonly bytesPerSecond: number;
}

export type Priority = 'low' | 'normal' | 'high';

export interface JobLimitSettings {
  /**
   * Bandwidth limits. The first entry that covers the current time applies. If none does, the bandwidth is unlimited.
   */
  readonly bandwidth?: readonly BandwidthPart[];
  /** Cron expression that says when the job runs. A missed run starts later. */
  readonly schedule?: string;
  /** The part of the day in which the job runs. */
  readonly window?: DayPart;
  readonly onBattery?: 'run' | 'pause';
  readonly onMetered?: 'run' | 'pause';
  readonly priority?: Priority;
}
