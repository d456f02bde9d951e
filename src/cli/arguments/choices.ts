/** Parses a word that must be one of several choices. */

import { ownMember } from '../../base/own-member.ts';
import { usageError } from '../output/command-error.ts';

/**
 * Returns the choice that equals `text`, ignoring case. `others` maps lower-case aliases to choices. Throws a usage
 * error that lists all choices and aliases.
 */
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
  throw usageError(`invalid ${what} "${text}": it must be one of ${known}`);
}
