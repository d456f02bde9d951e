/** Formats the JSON lines of the daemon's log as text. */

import type { Paint, Tone } from './output.ts';
import { visible } from './text.ts';
import { timeText } from '../../text/time.ts';

const TONES: Readonly<Record<string, Tone>> = {
  debug: 'dim',
  info: 'strong',
  warn: 'attention',
  error: 'bad',
};

/** The names of log levels, by number. Older log files contain the numbers. */
const LEVEL_NAMES: Readonly<Record<string, string>> = {
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
};

/**
 * Returns a log line as text, such as `2026-11-21 14:03:22  warn   open job: failed  job=photos`. If the line is not
 * a log entry, only escapes control characters.
 */
export function logText(line: string, paint: Paint): string {
  const fields = fieldsOf(line);
  if (!fields) return visible(line);
  const { time, level, msg, ...rest } = fields;
  const name = String(level);
  const at = Date.parse(String(time));
  const parts = Object.entries(rest).map(([key, value]) => `${key}=${valueText(value)}`);
  const said = [
    visible(typeof msg === 'string' ? msg : ''),
    paint('dim', visible(parts.join(' '))),
  ];
  const when = Number.isNaN(at) ? '' : `${paint('dim', timeText(at))}  `;
  return `${when}${paint(TONES[name] ?? 'strong', visible(name).padEnd(5))}  ${said.join('  ')}`.trimEnd();
}

/** Returns the fields of a log entry, with a named level. Any other line is returned as the field `msg`. */
export function logFields(line: string): Record<string, unknown> {
  return fieldsOf(line) ?? { msg: line };
}

/** Returns the fields of a log entry, with a named level. Returns undefined for any other line. */
export function fieldsOf(line: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed !== 'object' || parsed === null || !('level' in parsed)) return undefined;
    return { ...parsed, level: LEVEL_NAMES[String(parsed.level)] ?? parsed.level };
  } catch {
    return undefined;
  }
}

function valueText(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
