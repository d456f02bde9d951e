/** A line of the daemon's log, which is JSON, for people. */

import type { Paint, Tone } from './output.ts';
import { timeText, visible } from './text.ts';

/** pino's numbers. */
const LEVELS: Readonly<Record<number, readonly [string, Tone]>> = {
  20: ['debug', 'dim'],
  30: ['info', 'strong'],
  40: ['warn', 'attention'],
  50: ['error', 'bad'],
  60: ['fatal', 'bad'],
};

/** `2026-11-21 14:03:22  warn   open job: failed  job=photos`. What is not of our log is shown as it is. */
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

/** What a line of our log says; undefined of any other. */
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
