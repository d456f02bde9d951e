/** Tests that `config.example.yaml` explains every configuration key. */

import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';
import { z } from 'zod';

import { alertsShape } from '../../../src/config/alerts.ts';
import { clustersShape } from '../../../src/config/cluster-schema.ts';
import { jobShape, storageShape, targetShape, topShape } from '../../../src/config/schema.ts';

const TEXT = readFileSync(new URL('../../../config.example.yaml', import.meta.url), 'utf8');

/** Returns the names of all properties of a JSON schema at any depth. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, member]: [string, unknown]) =>
    name === 'properties' && typeof member === 'object' && member !== null
      ? Object.keys(member).concat(Object.values(member).flatMap(keysOf))
      : keysOf(member),
  );
}

it.each(
  Object.entries({
    'the top level': topShape,
    storage: storageShape,
    clusters: clustersShape,
    alerts: alertsShape,
    targets: targetShape,
    jobs: jobShape,
  }),
)('config.example.yaml contains every key of %s', (_name, shape) => {
  const schema = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
  const keys = keysOf(schema);
  expect(keys.length).toBeGreaterThan(3);
  const missing = keys.filter((key) => !new RegExp(`(?<![\\w-])${key}:`).test(TEXT));
  expect(missing).toEqual([]);
});
