/**
 * Parses the filter that the user types after `/`: `report`, `!tmp` to exclude rows, or
 * `re:\.jpe?g$` for a regular expression.
 */

export interface Filter {
  readonly text: string;
  /** Why the filter is invalid, such as a wrong regular expression. */
  readonly problem?: string;
  readonly matches: (row: string) => boolean;
}

/**
 * Creates a filter from the typed text. The filter ignores case unless the text contains a capital
 * letter.
 */
export function makeFilter(text: string): Filter {
  if (text.startsWith('!') && text.length > 1) {
    const { matches, problem } = makeFilter(text.slice(1));
    const opposite = (row: string) => !matches(row);
    return problem === undefined ? { text, matches: opposite } : { text, problem, matches };
  }
  if (text.startsWith('re:')) return byExpression(text);
  if (/\p{Lu}/u.test(text)) return { text, matches: (row) => row.includes(text) };
  const lower = text.toLowerCase();
  return { text, matches: (row) => row.toLowerCase().includes(lower) };
}

function byExpression(text: string): Filter {
  try {
    const expression = new RegExp(text.slice('re:'.length), 'u');
    return { text, matches: (row) => expression.test(row) };
  } catch {
    return { text, problem: 'this is not a valid regular expression', matches: () => true };
  }
}
