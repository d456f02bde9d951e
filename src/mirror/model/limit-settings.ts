/** A job's manners: how fast, when, and before whom it works. Absent is without a limit. */

/** Part of each day, in minutes after midnight by this machine's time; over midnight where `from` is the later one. */
export interface DayPart {
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** Without a part of the day: always. */
export interface BandwidthPart extends Partial<DayPart> {
  readonly bytesPerSecond: number;
}

export type Priority = 'low' | 'normal' | 'high';

export interface JobLimitSettings {
  /** The first that holds at a time decides; where none does there is no limit. */
  readonly bandwidth?: readonly BandwidthPart[];
  /** When it works, as cron has it. What was missed is made up for. */
  readonly schedule?: string;
  /** It works in this part of the day only. */
  readonly window?: DayPart;
  readonly onBattery?: 'run' | 'pause';
  readonly onMetered?: 'run' | 'pause';
  readonly priority?: Priority;
}
