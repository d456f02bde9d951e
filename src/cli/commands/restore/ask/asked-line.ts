/** Formats the command line that restores the same files as the answers to the questions. */

import { minuteText, readViewTime, timeText } from '../../../../text/time.ts';
import type { Context } from '../../../context.ts';
import { copyableWord } from '../../../output/text.ts';
import type { Request } from '../restore.ts';

interface TypedTime {
  readonly text: string;
  /** The time in milliseconds since 1970. */
  readonly at: number;
}

/**
 * Returns a time as a user would type it, and the exact time that this text means. It is in whole minutes or whole
 * seconds.
 */
export function typedTime(at: number, now: number): TypedTime {
  const minute = minuteText(at);
  if (readViewTime(minute, now) === at) return { text: minute, at };
  const second = timeText(at);
  const read = readViewTime(second, now);
  // When daylight saving time ends, a local time that occurs twice is ambiguous.
  if (read !== undefined && Math.abs(read - at) < 1_000) return { text: second, at: read };
  return { text: new Date(at).toISOString(), at };
}

/** Returns a single line without line breaks, so that the user can copy the whole command. */
export function askedLine(context: Context, { job = '', paths = [], at, to }: Request): string {
  const time = at === undefined ? [] : ['--at', typedTime(at, context.io.clock.now()).text];
  const place = to === undefined ? ['--in-place'] : ['--to', to];
  // A path that starts with a hyphen would be parsed as an option.
  const files = paths.map((path) => (path.startsWith('-') ? `./${path}` : path));
  const words = ['holdfast', 'restore', job, ...files, ...time, ...place];
  return `${words.map(copyableWord).join(' ')}${context.homeOption}`;
}
