/** Lists the keys of `config.yaml`, taken from the schemas that validate the file. */

import { alertsShape } from '../../../src/config/alerts.ts';
import { clustersShape } from '../../../src/config/cluster-schema.ts';
import { jobShape, storageShape, targetShape, topShape } from '../../../src/config/schema.ts';
import { SchemaLines } from './schema-lines.ts';

/** Sections of the configuration that have their own schema, by path. */
const SECTIONS = {
  storage: storageShape,
  clusters: clustersShape,
  alerts: alertsShape,
  'targets[]': targetShape,
  'jobs[]': jobShape,
};

export function configLines(): string[] {
  return Object.entries({ config: topShape, ...SECTIONS }).flatMap(([name, shape]) =>
    [''].concat(
      new SchemaLines().of('', name, shape),
      defaultLines(`${name} without a key`, shape.safeParse({}).data),
    ),
  );
}

/** Lists the default values of a section. A section with a required key has no default values. */
function defaultLines(path: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [`${path} = ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([name, member]) => defaultLines(`${path}.${name}`, member));
}
