/** Parses the HTML that highlight.js returns. It contains only `span` elements and escaped text. */

import type { Tone } from '../theme/tones.ts';
import type { Span, SpanLine } from './span.ts';

/** The tone for each highlight.js class. Text with any other class keeps the tone of the text around it. */
const TONES: Readonly<Record<string, Tone>> = {
  comment: 'dim',
  quote: 'dim',
  keyword: 'accent',
  tag: 'accent',
  name: 'accent',
  'selector-tag': 'accent',
  string: 'good',
  regexp: 'good',
  code: 'good',
  link: 'good',
  number: 'hold',
  literal: 'hold',
  symbol: 'hold',
  bullet: 'hold',
  meta: 'compliance',
  doctag: 'compliance',
  type: 'governance',
  built_in: 'governance',
  title: 'folder',
  section: 'folder',
  'selector-class': 'folder',
  'selector-id': 'folder',
  attr: 'size',
  attribute: 'size',
  property: 'size',
  variable: 'size',
  'template-variable': 'size',
  strong: 'strong',
  addition: 'added',
  deletion: 'removed',
  // Code inside a string, such as a template expression.
  subst: 'plain',
};

const PART = /<span class="([^"]*)">|<\/span>|[^<]+/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/** Returns the lines of highlighted HTML, with a tone for each part. */
export function linesOfHtml(html: string): SpanLine[] {
  const lines: Span[][] = [[]];
  const tones: Tone[] = ['plain'];
  for (const [part, classes] of html.matchAll(PART)) {
    const tone = tones.at(-1) ?? 'plain';
    if (classes !== undefined) tones.push(toneOf(classes) ?? tone);
    else if (part === '</span>') tones.pop();
    else {
      const text = part.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (each) => ENTITIES[each] ?? each);
      for (const [index, line] of text.split('\n').entries()) {
        if (index > 0) lines.push([]);
        if (line !== '') lines.at(-1)?.push({ text: line, tone });
      }
    }
  }
  return lines;
}

/** Uses only the first class of a list such as `hljs-title function_`, because it is the general one. */
function toneOf(classes: string): Tone | undefined {
  return TONES[/^hljs-([\w-]+)/.exec(classes)?.[1] ?? ''];
}
