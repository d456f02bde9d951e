/**
 * Creates the error page of a website whose error document is missing or unreadable. All text in the page is escaped.
 */
import { STATUS_CODES } from 'node:http';

type Tag = 'body' | 'h1' | 'h3' | 'head' | 'html' | 'li' | 'title' | 'ul';

interface HtmlElement {
  readonly tag: Tag;
  readonly children: readonly Html[];
}

/** An HTML element, or text that is not escaped yet. */
type Html = HtmlElement | string;

/** Pairs of name and value, which the page lists in this order. */
export type Facts = readonly (readonly [name: string, value: string])[];

export interface ErrorPage {
  readonly status: number;
  readonly facts: Facts;
  /**
   * Why the website's error document could not be read. Undefined if the website has no error
   * document.
   */
  readonly errorDocument?: Facts | undefined;
}

export function errorPage({ status, facts, errorDocument }: ErrorPage): string {
  const title = `${status} ${STATUS_CODES[status] ?? 'Error'}`;
  const why =
    errorDocument === undefined
      ? []
      : [
          html('h3', 'An Error Occurred While Attempting to Retrieve a Custom Error Document'),
          list(errorDocument),
        ];
  const page = html(
    'html',
    html('head', html('title', title)),
    html('body', html('h1', title), list(facts), ...why),
  );
  return `<!DOCTYPE html>\n${write(page)}\n`;
}

function list(facts: Facts): HtmlElement {
  return html('ul', ...facts.map(([name, value]) => html('li', `${name}: ${value}`)));
}

function html(tag: Tag, ...children: readonly Html[]): HtmlElement {
  return { tag, children };
}

function write(node: Html): string {
  if (typeof node === 'string') return escapeHtml(node);
  const { tag, children } = node;
  return `<${tag}>${children.map(write).join('')}</${tag}>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes HTML. Replaces control characters, because they have no meaning in a page and may confuse
 * readers.
 */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']|\p{Cc}/gu, (character) => ESCAPES[character] ?? '\ufffd');
}
