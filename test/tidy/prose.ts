/** Splits a TypeScript source into prose (comments; strings and patterns of several words) and code. */

interface Parts {
  /**
   * Both have the length and the lines of the source; the other part's characters are masked. A string without a space
   * is in neither: it is a value, such as a name in SQL or an error code.
   */
  readonly prose: string;
  readonly code: string;
}

const COMMENT = /\/\/.*|\/\*[\s\S]*?\*\//;
const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/;
/** A regular expression may contain quotes; the token before it distinguishes it from a division. */
const PATTERN =
  /(?:[=(,:!&|?;[]|=>|\breturn)\s*\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//;
const TOKEN = new RegExp(
  [COMMENT, STRING, PATTERN, /[`{}]/].map(({ source }) => source).join('|'),
  'g',
);
/** From a backtick, or from the brace that ends a substitution, to the next of them. */
const TEMPLATE = /(?:[^`\\$]+|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y;

/** Matches no phrase, so that no phrase reaches from one string into the next. */
const MASK = '\0';

type Span = readonly [start: number, end: number];

function proseSpans(text: string): Span[] {
  const spans: Span[] = [];
  /** Open braces in each template substitution around the token. */
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

/** Without the marks that begin the lines of a comment, so that a phrase may reach over a line's end. */
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
