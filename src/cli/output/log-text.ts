/** Formats the lines of the daemon's log, which are JSON, as text. */

import type { Paint, Tone } from './output.ts';
import { timeText } from '../../text/time.ts';
import { visible } from './text.ts';

/** The names and tones of the log levels, by their numbers in pino. */
const LEVELS: Readonly<Record<number, readonly [string, Tone]>> = {
  20: ['debug', 'dim'],
  30: ['info', 'strong'],
  40: ['warn', 'attention'],
  50: ['error', 'bad'],
  60: ['fatal', 'bad'],
};

/**
 * Returns a log line as text: `2026-11-21 14:03:22  warn   open job: failed  job=photos`. In a line that is not a log
 * entry, only escapes control characters.
 */
export function logText(line: string, paint: Paint): string {
  const fields = fieldsOf(line);
  if (!fields) return visible(line);
  const { time, level, msg, ...rest } = fields;
  const [name, tone] = LEVELS[Number(level)] ?? [String(level), 'strong'];
  const at = Date.parse(String(time));
  const parts = Object.entries(rest).map(([key, value]) => `${key}=${valueText(value)}`);
  const said = [
    visible(typeof msg === 'string' ? msg : ''),
    paint('dim', visible(parts.join(' '))),
  ];
  const when = Number.isNaN(at) ? '' : `${paint('dim', timeText(at))}  `;
  return `${when}${paint(tone, name.padEnd(5))}  ${said.join('  ')}`.trimEnd();
}

/** Returns the fields of a log entry. Returns undefined for any other line. */
export function fieldsOf(line: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    const isRecord = typeof parsed === 'object' && parsed !== null && 'level' in parsed;
    return isRecord ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}

function valueText(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
