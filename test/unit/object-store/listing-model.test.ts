/** Tests that listings of random keys equal the result of a simple filter. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { defined } from '../../../src/base/defined.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { type Engine, openEngine } from '../../../src/engine/engine.ts';
import { bytesBody } from '../../../src/object-store/body.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import type { ObjectStore } from '../../../src/object-store/object-store.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

// The keys use few characters, so that they share prefixes. Some characters sort differently in
// UTF-8 and UTF-16, and one is the last code point.
const unit = fc.constantFrom('a', 'b', '/', 'Ａ', '😀', '\u{10ffff}');
const text = fc.string({ unit, maxLength: 4 });
const keys = fc.uniqueArray(fc.string({ unit, minLength: 1, maxLength: 5 }), { maxLength: 20 });
const question = fc.record({
  prefix: fc.option(text, { nil: undefined }),
  delimiter: fc.constantFrom(undefined, '', '/', '//', 'b', 'a/', '\u{10ffff}'),
  after: fc.option(text, { nil: undefined }),
  maxKeys: fc.integer({ min: 1, max: 7 }),
});
type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

const bytewise = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Returns the expected keys and common prefixes, each once, in byte order. */
function entriesOf(
  keys: readonly string[],
  { prefix = '', delimiter = '', after }: Question,
): string[] {
  const names = keys
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const rest = key.slice(prefix.length);
      const found = delimiter === '' ? -1 : rest.indexOf(delimiter);
      return found < 0 ? key : prefix + rest.slice(0, found + delimiter.length);
    });
  const sorted = [...new Set(names)].sort(bytewise);
  return after === undefined ? sorted : sorted.filter((name) => bytewise(name, after) > 0);
}

function pagesOf(entries: readonly string[], size: number): string[][] {
  const pages = [];
  for (let at = 0; at < entries.length; at += size) pages.push(entries.slice(at, at + size));
  return pages.length === 0 ? [[]] : pages;
}

async function objectPages(
  store: ObjectStore,
  bucket: string,
  asked: Question,
): Promise<string[][]> {
  const { after: startAfter, ...rest } = asked;
  const pages: string[][] = [];
  let continuationToken: string | undefined;
  do {
    const request = defined({ ...rest, bucket, startAfter, continuationToken });
    const page = await store.listObjects(request);
    const names = [...page.objects.map(({ key }) => key), ...page.commonPrefixes];
    pages.push(names.sort(bytewise));
    continuationToken = page.nextToken;
  } while (continuationToken !== undefined);
  return pages;
}

async function versionPages(
  store: ObjectStore,
  bucket: string,
  asked: Question,
): Promise<string[][]> {
  const { after: keyMarker, ...rest } = asked;
  const pages: string[][] = [];
  let next: { keyMarker?: string; versionIdMarker?: string } | undefined = defined({ keyMarker });
  while (next) {
    const page = await store.listVersions({ ...defined({ ...rest, bucket }), ...next });
    const names = [...page.versions.map(({ key }) => key), ...page.commonPrefixes];
    pages.push(names.sort(bytewise));
    next = page.next;
  }
  return pages;
}

let dir: string;
let engine: Engine;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'holdfast-listing-'));
  const clock = new FakeClock();
  engine = await openEngine({ dir, clock, logger: silentLogger, region: 'us-east-1' });
});
afterAll(async () => {
  await engine.close();
  await rm(dir, { recursive: true });
});

test('the store lists the same keys and common prefixes as a simple filter, for any keys and page size', async () => {
  let buckets = 0;
  await fc.assert(
    fc.asyncProperty(keys, fc.array(question, { maxLength: 10 }), async (keys, questions) => {
      // Each bucket belongs to a separate project, because a project may have only 50 buckets.
      const project = `p${(buckets += 1)}`;
      const user = { project, user: 'u', customer: 'c', fullAccess: true };
      const store = engine.as(internalCaller({ kind: 'user', ...user }, 0));
      const bucket = `listed-${buckets}`;
      await store.createBucket({ bucket });
      await Promise.all(keys.map((key) => store.putObject({ bucket, key, body: bytesBody('') })));
      for (const asked of questions) {
        const expected = pagesOf(entriesOf(keys, asked), asked.maxKeys);
        expect(await objectPages(store, bucket, asked)).toEqual(expected);
        expect(await versionPages(store, bucket, asked)).toEqual(expected);
      }
    }),
    { numRuns: 60 },
  );
});
