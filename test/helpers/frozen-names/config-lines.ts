/** The keys of `config.yaml`, from the schemas that read it. */

import { alertsShape } from '../../../src/config/alerts.ts';
import { clustersShape } from '../../../src/config/cluster-schema.ts';
import { jobShape, storageShape, targetShape, topShape } from '../../../src/config/schema.ts';
import { SchemaLines } from './schema-lines.ts';

/** The top level leaves each of these to a schema of its own. */
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

/** What holds where no key is set. A section that needs a key has no such lines. */
function defaultLines(path: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [`${path} = ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([name, member]) => defaultLines(`${path}.${name}`, member));
}
