/** Creates the configuration fixture from the example file of a checkout, which contains all options. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { type Fixture, nextName } from './fixture.ts';

export async function makeConfig(tree: string): Promise<[name: string, Omit<Fixture, 'commit'>]> {
  const name = nextName('config');
  const example = readFileSync(join(tree, 'config.example.yaml'), 'latin1');
  const files = { [`${name}.yaml`]: example };
  return [name, { formats: {}, madeAt: systemClock.now(), contents: undefined, files }];
}
