/**
 * Tests that every operation has a wire test and a row in SPECIFICATION.md, and that each wire test belongs to an
 * operation.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATIONS as CLUSTER_OPERATIONS } from '../../src/cluster/wire/operations.ts';
import { OPERATIONS } from '../../src/protocol/operations.ts';
import { parseStatements } from '../helpers/specification.ts';

const SUFFIX = '.test.ts';
const TESTS = join(import.meta.dirname, '..');

/**
 * Returns the file name of an operation's wire test. For `ListObjectsV2` it is
 * `list-objects-v2.test.ts`.
 */
function testOf(operation: string): string {
  return operation.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase() + SUFFIX;
}

const expected = Object.keys(OPERATIONS).map(testOf).toSorted();

test('every S3 operation has a wire test, and every wire test belongs to an operation', () => {
  const files = readdirSync(join(TESTS, 'wire/operations')).filter((name) => name.endsWith(SUFFIX));
  expect(files.toSorted()).toEqual(expected);
});

test('SPECIFICATION.md contains a statement about every S3 operation', () => {
  const statements = parseStatements(readFileSync(join(TESTS, 'SPECIFICATION.md'), 'utf8'));
  const files = new Set(statements.map(({ file }) => file));
  expect(expected.filter((name) => !files.has(`test/wire/operations/${name}`))).toEqual([]);
});

test('every cluster operation has a wire test', () => {
  const files = readdirSync(join(TESTS, 'wire/clusters'));
  const names = Object.values(CLUSTER_OPERATIONS).map(({ name }) => testOf(name));
  expect(names.filter((name) => !files.includes(name))).toEqual([]);
});
