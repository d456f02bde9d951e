/**
 * Maps positions in a stack trace from the bundled files to the TypeScript sources, with the help of the source
 * maps.
 */

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Matches a position in a stack trace, such as `file:///app/dist/src/cli/main-B3Wx.js:120:7`. */
const PLACE = /(file:\/\/\/\S+?\.js):(\d+):(\d+)/g;

/**
 * Returns the stack trace with source positions. Positions without a source map are left unchanged. Reads files
 * synchronously.
 */
export function inSources(stack: string, folder: string = import.meta.dirname): string {
  const maps = new Map<string, SourceMap | undefined>();
  const own = `${pathToFileURL(folder).href}/`;
  return stack.replace(PLACE, (place: string, url: string, line: string, column: string) => {
    if (!url.startsWith(own)) return place;
    if (!maps.has(url)) maps.set(url, mapOf(url));
    const origin = maps.get(url)?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin) || origin.fileName === undefined) return place;
    const source = origin.fileName.replace(/^(?:\.\.\/)+/, '');
    return `${source}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

function mapOf(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')));
  } catch {
    // Without a readable source map, the stack trace keeps its positions.
    return undefined;
  }
}
