/** Parses JSON from a user strictly: rejects duplicate members and excessive depth. */

export interface JsonLimits {
  /** Limits the text in UTF-8, and is checked before the text is parsed. */
  readonly maxBytes: number;
  readonly maxDepth: number;
}

/** What was read, or what is wrong with it. */
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

/** Matches a bracket, or a string and the colon that makes it a member's name. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/gs;

/** `JSON.parse` keeps the last of two members of one name: a reader who sees the first would be deceived. */
function structuralProblem(text: string, maxDepth: number): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (string !== undefined && colon !== undefined) {
      const name = String(JSON.parse(string));
      if (open.at(-1)?.has(name)) return `it has ${JSON.stringify(name)} twice`;
      open.at(-1)?.add(name);
    }
    if (open.length > maxDepth) return `it is nested deeper than ${maxDepth}`;
  }
  return undefined;
}
