/**
 * Splits a TypeScript source into prose and code. Comments are prose, and so are strings and
 * regular expressions that contain spaces.
 */

interface Parts {
  /**
   * Both parts have the length and the lines of the source. Each part masks the text of the other
   * part. Strings without a space are in neither part, because they are values such as SQL names or
   * error codes.
   */
  readonly prose: string;
  readonly code: string;
}

const COMMENT = /\/\/.*|\/\*[\s\S]*?\*\//;
const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/;
/**
 * Matches a regular expression, which may contain quotes. The preceding token distinguishes a
 * regular expression from a division.
 */
const PATTERN =
  /(?:[=(,:!&|?;[]|=>|\breturn)\s*\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//;
const TOKEN = new RegExp(
  [COMMENT, STRING, PATTERN, /[`{}]/].map(({ source }) => source).join('|'),
  'g',
);
/**
 * Matches a part of a template literal: from a backtick or the end of a substitution to the next
 * backtick or substitution.
 */
const TEMPLATE = /(?:[^`\\$]+|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y;

/**
 * Character that replaces masked text. No phrase contains it, so a match cannot extend from one
 * string into the next.
 */
const MASK = '\0';

type Span = readonly [start: number, end: number];

function proseSpans(text: string): Span[] {
  const spans: Span[] = [];
  /** Numbers of open braces in each template substitution that encloses the current token. */
  const braces: number[] = [];
  const add = (start: number, end: number) => spans.push([start, end]);
  const readTemplate = (start: number) => {
    TEMPLATE.lastIndex = start;
    TEMPLATE.test(text);
    TOKEN.lastIndex = TEMPLATE.lastIndex;
    add(start, TOKEN.lastIndex);
    if (text.endsWith('${', TOKEN.lastIndex)) braces.push(0);
  };
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [token] = match;
    const open = braces.at(-1);
    if (token === '`') readTemplate(TOKEN.lastIndex);
    else if (token === '}' && open === 0) {
      braces.pop();
      readTemplate(TOKEN.lastIndex);
    } else if (token === '{' || token === '}') {
      if (open !== undefined) braces[braces.length - 1] = open + (token === '{' ? 1 : -1);
    } else add(match.index + token.search(/['"/]/), TOKEN.lastIndex);
  }
  return spans;
}

/**
 * Removes the `*` at the start of each comment line, so that a phrase can continue on the next
 * line.
 */
function withoutMarks(prose: string): string {
  if (prose.startsWith('//')) return `  ${prose.slice(2)}`;
  return prose.startsWith('/*') ? prose.replace(/^(\s*)\*/gm, '$1 ') : prose;
}

export function partsOf(text: string): Parts {
  let prose = '';
  let code = '';
  let end = 0;
  for (const [from, to] of [...proseSpans(text), [text.length, text.length] as const]) {
    const span = text.slice(from, to);
    const masked = span.replace(/\S/g, MASK);
    prose += text.slice(end, from).replace(/\S/g, MASK);
    prose += /\s/.test(span) ? withoutMarks(span) : masked;
    code += text.slice(end, from) + masked;
    end = to;
  }
  return { prose, code };
}
