/**
 * Compares the output that a page shows with the output of a run. Dates, times, durations and
 * percentages are ignored.
 */

const VARIES: readonly (readonly [RegExp, string])[] = [
  [/\b20\d\d-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?/g, 'DATE'],
  [/\b\d+(?:\.\d+)? (?:ms|s|min|h|d|days)\b(?: \d+ (?:s|min|h)\b)?/g, 'TIME'],
  [/\b\d+ %/g, 'PERCENT'],
  [/(?<!\S)[\w-]{32}(?!\S)/g, 'VERSION'],
  [/\s+/g, ' '],
];

function comparable(line: string): string {
  return VARIES.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), line).trim();
}

/** Returns the first line of the page that the run does not contain after the previous lines. */
export function missingLine(page: string, run: string): string | undefined {
  const lines = run.split('\n').map(comparable);
  let from = 0;
  for (const line of page.split('\n')) {
    const index = lines.indexOf(comparable(line), from);
    if (index < 0) return line;
    from = index + 1;
  }
  return undefined;
}
