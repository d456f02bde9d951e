/** Tests of the grammar of things: local paths, `BUCKET/KEY`, `TARGET:BUCKET/KEY`, and `~N`. */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  parseBucket,
  parsePlace,
  parseThing,
  splitVersion,
} from '../../../src/cli/arguments/thing.ts';

describe('a thing', () => {
  it.each([
    ['photos', 'photos', ''],
    ['photos/', 'photos', ''],
    ['photos/2026/a.jpg', 'photos', '2026/a.jpg'],
    ['photos//a', 'photos', '/a'],
    ['photos/../a b', 'photos', '../a b'],
    ['photos/10:30/b', 'photos', '10:30/b'],
    ['Papers/plan.md', 'Papers', 'plan.md'],
  ])('%s is bucket %s and key %j, or a local path', (text, bucket, key) => {
    expect(parseThing(text)).toEqual({ path: text, place: { bucket, key } });
    expect(parsePlace(text)).toEqual({ bucket, key });
  });

  it.each(['.', '..', './a', '../a', '/a', '~/a', './eu:photos/a'])(
    '%s is only a local path',
    (text) => {
      expect(parseThing(text)).toEqual({ path: text });
      expect(() => parsePlace(text)).toThrow('no bucket');
    },
  );

  it.each([
    ['eu:photos/a', 'eu', 'photos', 'a'],
    ['local:photos', 'local', 'photos', ''],
    ['eu:photos/b:c', 'eu', 'photos', 'b:c'],
  ])('%s is an object at target %s, and no local path', (text, target, bucket, key) => {
    expect(parseThing(text)).toEqual({ target, place: { bucket, key } });
  });

  it.each(['', 'eu:', 'eu:/a'])('%j is refused, because it has no bucket', (text) => {
    expect(() => parseThing(text)).toThrow('no bucket');
  });

  it.each(['s3://photos/a', 'https://storage.example.com/photos'])(
    'the URL %s is refused, because URLs name only new targets',
    (text) => {
      expect(() => parseThing(text)).toThrow('only a new target is named by a URL');
    },
  );

  it('a bucket is refused if a key follows', () => {
    expect(parseBucket('eu:photos/')).toBe('photos');
    expect(() => parseBucket('photos/a')).toThrow('no slash');
  });
});

describe('the version of a thing', () => {
  it.each([
    ['plan.md~2', 'plan.md', 2],
    ['/home/ada/plan.md~0', '/home/ada/plan.md', 0],
    ['../plan~1', '../plan', 1],
    ['eu:photos/a:b~3', 'eu:photos/a:b', 3],
    ['photos/a~2~0', 'photos/a~2', 0],
  ])('%s is %s and version %i before the current one', (text, name, back) => {
    expect(splitVersion(text)).toEqual({ name, back });
  });

  it.each(['plan~', 'plan~x', '~2', 'photos/~2', './plan~2', 'plan~1.md', 'plan~-1'])(
    '%s is a name without a version',
    (text) => {
      expect(splitVersion(text)).toEqual({ name: text });
    },
  );
});

const bucket = fc.stringMatching(/^[a-z0-9][a-z0-9.-]{2,20}$/);
const target = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,10}$/);
/** Keys with many of the characters that the grammar gives a meaning. */
const key = fc
  .array(
    fc.oneof(
      fc.constantFrom('~', '~1', ':', '/', './', '..', '\n'),
      fc.string({ unit: 'grapheme' }),
    ),
  )
  .map((parts) => parts.join(''));

describe('the grammar of things', () => {
  it('reads every bucket, key and target as they were written', () => {
    fc.assert(
      fc.property(bucket, key, target, (name, rest, at) => {
        const place = { bucket: name, key: rest };
        const text = `${name}/${rest}`;
        expect(parseThing(text)).toEqual({ path: text, place });
        expect(parseThing(`${at}:${text}`)).toEqual({ target: at, place });
      }),
    );
  });

  it('reaches every key by ~0 or, if it ends in a slash, by its name alone', () => {
    fc.assert(
      fc.property(bucket, key, target, (name, rest, at) => {
        const text = `${at}:${name}/${rest}`;
        const written = text.endsWith('/') ? text : `${text}~0`;
        expect(parsePlace(splitVersion(written).name)).toEqual({ bucket: name, key: rest });
      }),
    );
  });

  it('reads a number behind every name that does not end in a slash as a version', () => {
    fc.assert(
      fc.property(bucket, key, fc.nat(), (name, rest, back) => {
        const text = `${name}/${rest}`;
        const expected = text.endsWith('/') ? { name: `${text}~${back}` } : { name: text, back };
        expect(splitVersion(`${text}~${back}`)).toEqual(expected);
      }),
    );
  });
});
