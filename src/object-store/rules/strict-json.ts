/** Parses JSON from users strictly: rejects duplicate property names and deep nesting. */

export interface JsonLimits {
  /** The maximum size of the text in UTF-8. It is checked before the text is parsed. */
  readonly maxBytes: number;
  readonly maxDepth: number;
}

/** The parsed value, or the reason why the text is invalid. */
export type JsonResult = { readonly value: unknown } | { readonly problem: string };

export function readJson(text: string, { maxBytes, maxDepth }: JsonLimits): JsonResult {
  if (Buffer.byteLength(text) > maxBytes) return { problem: `it has more than ${maxBytes} bytes` };
  try {
    const value: unknown = JSON.parse(text);
    const problem = structuralProblem(text, maxDepth);
    return problem === undefined ? { value } : { problem };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: 'it is not valid JSON' };
  }
}

/** Matches a bracket or a string. If the string is a property name, matches the colon after it too. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/gs;

/**
 * Returns the reason to reject the text: a duplicate property name, or more than `maxDepth` levels. For a duplicate
 * name, `JSON.parse` keeps the last value, although a human reader may notice only the first value.
 */
function structuralProblem(text: string, maxDepth: number): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (string !== undefined && colon !== undefined) {
      const name = String(JSON.parse(string));
      if (open.at(-1)?.has(name))
        return `it has the name ${JSON.stringify(name)} twice in the same object`;
      open.at(-1)?.add(name);
    }
    if (open.length > maxDepth) return `it has more than ${maxDepth} nested levels`;
  }
  return undefined;
}
