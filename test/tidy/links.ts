/** Finds the relative links of a Markdown page, and the links whose target does not exist. */

import { dirname, join } from 'node:path';

import type { SourceFile } from './source-files.ts';

interface Link {
  /**
   * Path of the target, relative to the folder of the page. Empty if the link leads to a heading of
   * the same page.
   */
  readonly file: string;
  readonly anchor: string | undefined;
}

interface Tree {
  readonly exists: (path: string) => boolean;
  /** Returns the text of a Markdown file, or undefined if the file does not exist. */
  readonly textOf: (path: string) => string | undefined;
}

const CODE = /^```[^]*?^```$|`[^`\n]*`/gm;
const LINK = /\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g;

/**
 * Returns the links to files of the repository. Links inside code are examples and are not
 * included.
 */
export function linksOf(text: string): Link[] {
  return [...text.replace(CODE, '').matchAll(LINK)]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((link) => !/^\w+:/.test(link))
    .map((link) => {
      const [file = '', anchor] = link.split('#');
      return { file, anchor };
    });
}

export function deadLinks({ path, text }: SourceFile, { exists, textOf }: Tree): string[] {
  const isDead = ({ file, anchor }: Link): boolean => {
    const to = file === '' ? path : join(dirname(path), file);
    if (file !== '' && !exists(to)) return true;
    const target = file === '' ? text : textOf(to);
    return anchor !== undefined && !anchorsOf(target ?? '').has(anchor);
  };
  return linksOf(text)
    .filter(isDead)
    .map(({ file, anchor }) => (anchor === undefined ? file : `${file}#${anchor}`));
}

/** Returns the anchors that GitHub generates for the headings of a page. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}
