/** What a stack names, as places in the sources: what runs is built of many of them, with a map beside each file. */

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { pathToFileURL } from 'node:url';

/** `file:///app/dist/src/cli/main-B3Wx.js:120:7` */
const PLACE = /(file:\/\/\/\S+?\.js):(\d+):(\d+)/g;

/** As it is where there is no map, as in a checkout's sources. Reads files: for defects, which are rare. */
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
    // Told as it was: a stack is no place to fail.
    return undefined;
  }
}
