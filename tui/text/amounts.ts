/** Sizes, counts, durations and instants as the dashboard shows them: short, and of the same width. */

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;

/** `4.1 MB`: decimal units, as file managers and disks have them. */
export function bytesText(bytes: number): string {
  let [value, unit] = [Math.abs(bytes), 0];
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? value.toFixed(0) : value.toFixed(1);
  return `${bytes < 0 ? '-' : ''}${digits} ${UNITS[unit]}`;
}

export function rateText(bytesPerSecond: number): string {
  return `${bytesText(bytesPerSecond)}/s`;
}

/** `48 213`: groups of three, so that no locale reads it as a fraction. */
export function countText(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, ' ');
}

/** `1 object`, `48 213 objects`. */
export function countOf(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `00:42`, `04:12:09`, `3d 04:12`. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24];
  const [minutes, rest] = [Math.floor(seconds / 60) % 60, seconds % 60];
  if (days > 0) return `${days}d ${two(hours)}:${two(minutes)}`;
  return hours > 0 ? `${two(hours)}:${two(minutes)}:${two(rest)}` : `${two(minutes)}:${two(rest)}`;
}

/** `0.4 s`, `12 s`, `5 min`, `3 h`, `2 d`: about how long. */
export function aboutText(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 99.5) return `${Math.round(seconds)} s`;
  if (seconds < 5_970) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** `2026-11-21`, in the time zone of whoever reads it. */
export function dayText(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `14:03:22`, local. */
export function clockText(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

/** `14:03:22` of today, else `11-20`, local: of two lists whose rows are mostly of today. */
export function recentText(at: number, now: number): string {
  return dayText(at) === dayText(now) ? clockText(at) : dayText(at).slice('2026-'.length);
}

/** `2026-11-21 14:03`, local. */
export function minuteText(at: number): string {
  return `${dayText(at)} ${clockText(at).slice(0, 5)}`;
}

/** `2026-11-21 14:03:22`, local. */
export function secondText(at: number): string {
  return `${dayText(at)} ${clockText(at)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
