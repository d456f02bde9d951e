/**
 * Evaluates daily time windows and formats times. All functions are pure, except that they use the machine's time zone.
 */

import type { BandwidthPart, DayPart } from '../model/limit-settings.ts';

const HOUR_MINUTES = 60;

/** Returns the local time of day in minutes after midnight. `at` is in milliseconds since 1970. */
export function minuteOfDay(at: number): number {
  const date = new Date(at);
  return date.getHours() * HOUR_MINUTES + date.getMinutes();
}

export function isWithin({ fromMinute, toMinute }: DayPart, minute: number): boolean {
  if (fromMinute <= toMinute) return minute >= fromMinute && minute < toMinute;
  return minute >= fromMinute || minute < toMinute;
}

/** Returns the bandwidth limit at this time, in bytes per second; undefined if the bandwidth is unlimited. */
export function limitAt(parts: readonly BandwidthPart[], at: number): number | undefined {
  const minute = minuteOfDay(at);
  const holds = ({ fromMinute, toMinute }: BandwidthPart) =>
    fromMinute === undefined ||
    toMinute === undefined ||
    isWithin({ fromMinute, toMinute }, minute);
  return parts.find(holds)?.bytesPerSecond;
}

/** Formats minutes after midnight as a time of day, such as `22:00`. */
export function timeText(minute: number): string {
  return `${two(Math.floor(minute / HOUR_MINUTES))}:${two(minute % HOUR_MINUTES)}`;
}

/** Formats a time (milliseconds since 1970) in the local time zone, such as `2026-11-22 02:00`. */
export function localTime(at: number): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${timeText(minuteOfDay(at))}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
