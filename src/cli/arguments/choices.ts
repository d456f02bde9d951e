/** Words of which one is chosen, as people type them. */

import { ownMember } from '../../base/own-member.ts';
import { usageError } from '../output/command-error.ts';

/** The choice that is meant, whatever its case. Throws a usage error that lists them all. */
export function choice<T extends string>(
  what: string,
  text: string,
  choices: readonly T[],
  others: Readonly<Record<string, T>> = {},
): T {
  const typed = text.toLowerCase();
  const found = choices.find((each) => each.toLowerCase() === typed) ?? ownMember(others, typed);
  if (found !== undefined) return found;
  const known = [...choices, ...Object.keys(others)].join(', ');
  throw usageError(`read ${what} "${text}": it must be one of ${known}`);
}
