import { expect, test } from 'vitest';

import { SigningKeys } from '../../../src/protocol/signing/signing-key.ts';
import { formatTimestamp, parseTimestamp } from '../../../src/protocol/signing/timestamp.ts';
import { DIALECTS, KEY } from './signer.ts';

const scope = { date: '20261121', region: 'r', service: 's3', terminator: 'svc4_request' };

test('the key cache derives a signing key once per day, region, service, terminator and dialect', () => {
  const keys = new SigningKeys();
  const first = keys.keyFor(KEY, scope, DIALECTS.svc);
  expect(keys.keyFor(KEY, { ...scope }, DIALECTS.svc)).toBe(first);
  for (const part of ['date', 'region', 'service', 'terminator']) {
    const other = keys.keyFor(KEY, { ...scope, [part]: 'x' }, DIALECTS.svc);
    expect(other.equals(first)).toBe(false);
  }
  expect(keys.keyFor(KEY, scope, DIALECTS.amz).equals(first)).toBe(false);
});

test('the key cache derives a new signing key for a rotated secret', () => {
  const keys = new SigningKeys();
  const before = keys.keyFor(KEY, scope, DIALECTS.svc);
  const rotated = { ...KEY, secretAccessKey: 'another' };
  expect(keys.keyFor(rotated, scope, DIALECTS.svc).equals(before)).toBe(false);
  expect(keys.keyFor(KEY, scope, DIALECTS.svc).equals(before)).toBe(true);
});

test('the key cache limits its size and drops the oldest signing key', () => {
  const keys = new SigningKeys();
  const first = keys.keyFor(KEY, scope, DIALECTS.svc);
  for (let day = 0; day < 1_000; day += 1) {
    keys.keyFor(KEY, { ...scope, date: String(day) }, DIALECTS.svc);
  }
  const again = keys.keyFor(KEY, scope, DIALECTS.svc);
  expect(again).not.toBe(first);
  expect(again.equals(first)).toBe(true);
});

test.for([
  ['20261121T120000Z', Date.UTC(2026, 10, 21, 12)],
  ['20240229T235959Z', Date.UTC(2024, 1, 29, 23, 59, 59)],
  ['20260230T000000Z', undefined],
  ['00200101T000000Z', undefined],
  ['20261121T240000Z', undefined],
  ['20261121T126000Z', undefined],
  ['20261121t120000z', undefined],
  ['20261121T120000Z ', undefined],
  ['2026-11-21T12:00:00Z', undefined],
] as const)('the gateway parses the timestamp %j as %s', ([text, at]) => {
  expect(parseTimestamp(text)).toBe(at);
  if (at !== undefined) expect(formatTimestamp(at)).toBe(text);
});
