/**
 * Tests of the syntax of command arguments that name objects: local paths, `BUCKET/KEY`,
 * `TARGET:BUCKET/KEY`, and `~N` for older versions.
 */

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  parseBucket,
  parsePlace,
  parseThing,
  splitVersion,
} from '../../../src/cli/arguments/thing.ts';

describe('arguments that name an object or a local path', () => {
  it.each([
    ['photos', 'photos', ''],
    ['photos/', 'photos', ''],
    ['photos/2026/a.jpg', 'photos', '2026/a.jpg'],
    ['photos//a', 'photos', '/a'],
    ['photos/../a b', 'photos', '../a b'],
    ['photos/10:30/b', 'photos', '10:30/b'],
    ['Papers/plan.md', 'Papers', 'plan.md'],
  ])(
    'the command line parses %s as bucket %s and key %j or as a local path',
    (text, bucket, key) => {
      expect(parseThing(text)).toEqual({ path: text, place: { bucket, key } });
      expect(parsePlace(text)).toEqual({ bucket, key });
    },
  );

  it.each(['.', '..', './a', '../a', '/a', '~/a', './eu:photos/a'])(
    'the command line parses %s only as a local path',
    (text) => {
      expect(parseThing(text)).toEqual({ path: text });
      expect(() => parsePlace(text)).toThrow('no bucket');
    },
  );

  it.each([
    ['eu:photos/a', 'eu', 'photos', 'a'],
    ['local:photos', 'local', 'photos', ''],
    ['eu:photos/b:c', 'eu', 'photos', 'b:c'],
  ])(
    'the command line parses %s as an object at target %s and not as a local path',
    (text, target, bucket, key) => {
      expect(parseThing(text)).toEqual({ target, place: { bucket, key } });
    },
  );

  it.each(['', 'eu:', 'eu:/a'])(
    'the command line refuses the argument %j because it names no bucket',
    (text) => {
      expect(() => parseThing(text)).toThrow('no bucket');
    },
  );

  it.each(['s3://photos/a', 'https://storage.example.com/photos'])(
    'the command line refuses the URL %s because a URL can only name a new target',
    (text) => {
      expect(() => parseThing(text)).toThrow('only a new target is named by a URL');
    },
  );

  it('the command line refuses a key after the bucket where only a bucket is allowed', () => {
    expect(parseBucket('eu:photos/')).toBe('photos');
    expect(() => parseBucket('photos/a')).toThrow('must not contain a slash');
  });
});

describe('older versions in arguments (~N)', () => {
  it.each([
    ['plan.md~2', 'plan.md', 2],
    ['/home/ada/plan.md~0', '/home/ada/plan.md', 0],
    ['../plan~1', '../plan', 1],
    ['eu:photos/a:b~3', 'eu:photos/a:b', 3],
    ['photos/a~2~0', 'photos/a~2', 0],
  ])(
    'the command line parses %s as %s and version %i before the current one',
    (text, name, back) => {
      expect(splitVersion(text)).toEqual({ name, back });
    },
  );

  it.each(['plan~', 'plan~x', '~2', 'photos/~2', './plan~2', 'plan~1.md', 'plan~-1'])(
    'the command line parses %s as a name without a version',
    (text) => {
      expect(splitVersion(text)).toEqual({ name: text });
    },
  );
});

const bucket = fc.stringMatching(/^[a-z0-9][a-z0-9.-]{2,20}$/);
const target = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,10}$/);
/** Keys with many of the characters that have a meaning in the syntax. */
const key = fc
  .array(
    fc.oneof(
      fc.constantFrom('~', '~1', ':', '/', './', '..', '\n'),
      fc.string({ unit: 'grapheme' }),
    ),
  )
  .map((parts) => parts.join(''));

describe('properties of the argument syntax', () => {
  it('the command line reads every bucket, key and target as it was written', () => {
    fc.assert(
      fc.property(bucket, key, target, (name, rest, at) => {
        const place = { bucket: name, key: rest };
        const text = `${name}/${rest}`;
        expect(parseThing(text)).toEqual({ path: text, place });
        expect(parseThing(`${at}:${text}`)).toEqual({ target: at, place });
      }),
    );
  });

  it('the command line can name every key: with ~0, or without it if the key ends in a slash', () => {
    fc.assert(
      fc.property(bucket, key, target, (name, rest, at) => {
        const text = `${at}:${name}/${rest}`;
        const written = text.endsWith('/') ? text : `${text}~0`;
        expect(parsePlace(splitVersion(written).name)).toEqual({ bucket: name, key: rest });
      }),
    );
  });

  it('the command line reads ~N as a version after every name that does not end in a slash', () => {
    fc.assert(
      fc.property(bucket, key, fc.nat(), (name, rest, back) => {
        const text = `${name}/${rest}`;
        const expected = text.endsWith('/') ? { name: `${text}~${back}` } : { name: text, back };
        expect(splitVersion(`${text}~${back}`)).toEqual(expected);
      }),
    );
  });
});
