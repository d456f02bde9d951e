/** Lists the keys of `config.yaml` from the schemas that validate it. */

import { alertsShape } from '../../../src/config/alerts.ts';
import { clustersShape } from '../../../src/config/cluster-schema.ts';
import { jobShape, storageShape, targetShape, topShape } from '../../../src/config/schema.ts';
import { SchemaLines } from './schema-lines.ts';

/** Parts of the configuration that have their own schemas, by path. */
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

/** Lists the default values. A section with a required key has none. */
function defaultLines(path: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [`${path} = ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([name, member]) => defaultLines(`${path}.${name}`, member));
}
