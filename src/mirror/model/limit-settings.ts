/** Run conditions and rate limits of a job. An absent setting means no limit. */

/** Part of each day, in minutes after midnight, local time. It crosses midnight if `fromMinute` is greater than `toMinute`. */
export interface DayPart {
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** A bandwidth limit. Without a part of the day it always applies. */
export interface BandwidthPart extends Partial<DayPart> {
  readonly bytesPerSecond: number;
}

export type Priority = 'low' | 'normal' | 'high';

export interface JobLimitSettings {
  /** The first entry that covers the current time applies. Otherwise the bandwidth is unlimited. */
  readonly bandwidth?: readonly BandwidthPart[];
  /** Cron expression. A missed run is made up for later. */
  readonly schedule?: string;
  /** The job runs only in this part of the day. */
  readonly window?: DayPart;
  readonly onBattery?: 'run' | 'pause';
  readonly onMetered?: 'run' | 'pause';
  readonly priority?: Priority;
}
