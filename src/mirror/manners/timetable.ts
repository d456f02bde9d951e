/** What holds at which time of the day. Pure, but for the time zone of this machine. */

import type { BandwidthPart, DayPart } from './manners.ts';

const HOUR_MINUTES = 60;

/** Minutes after midnight, by this machine's time. */
export function minuteOfDay(at: number): number {
  const date = new Date(at);
  return date.getHours() * HOUR_MINUTES + date.getMinutes();
}

export function isWithin({ fromMinute, toMinute }: DayPart, minute: number): boolean {
  if (fromMinute <= toMinute) return minute >= fromMinute && minute < toMinute;
  return minute >= fromMinute || minute < toMinute;
}

/** Bytes per second; undefined for no limit. */
export function limitAt(parts: readonly BandwidthPart[], at: number): number | undefined {
  const minute = minuteOfDay(at);
  const holds = ({ fromMinute, toMinute }: BandwidthPart) =>
    fromMinute === undefined ||
    toMinute === undefined ||
    isWithin({ fromMinute, toMinute }, minute);
  return parts.find(holds)?.bytesPerSecond;
}

/** `22:00`. */
export function timeText(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / HOUR_MINUTES))}:${two(minute % HOUR_MINUTES)}`;
}
