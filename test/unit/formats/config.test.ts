/** Tests that Holdfast still reads the `config.example.yaml` of each earlier release. */

import { expect, it } from 'vitest';

import { resolveHome } from '../../../src/config/home.ts';
import { parseConfig } from '../../../src/config/load.ts';
import { fixtureNames, readFixture } from '../../formats/fixture.ts';

const home = resolveHome({
  homeFlag: '/home/of/holdfast',
  // The home is in test mode, because one option is for tests only.
  env: { HOLDFAST_TEST_MODE: '1' },
  cwd: '/',
});

/**
 * The error for a renamed key. Its value in days is not converted, because it decides when locks
 * end.
 */
const RENAMED = /maxClockJumpDays: unknown key; did you mean maxClockJumpHours\?/;

const examples = fixtureNames('config').flatMap((name) => Object.entries(readFixture(name).files));

/** Enables all options. A `#` directly before a word marks an option that is off. */
const allOn = (text: string) => text.replaceAll(/^(\s*)#(\w)/gm, '$1$2');

it.each(examples)(
  'Holdfast reads the configuration file %s, with its optional settings off and on',
  (_, latin1) => {
    const text = Buffer.from(latin1, 'latin1').toString();
    for (const each of [text, allOn(text)]) {
      const parse = () => parseConfig(each, { file: home.configFile, home });
      if (each.includes('maxClockJumpDays')) expect(parse).toThrow(RENAMED);
      else expect(parse().jobs.length).toBeGreaterThan(0);
    }
  },
);

it('Holdfast reads the key `dialect` of an earlier release as `protocol`', () => {
  const [text] = Object.values(readFixture('config-02').files);
  const config = allOn(Buffer.from(text ?? '', 'latin1').toString());
  expect(config).toContain('dialect: amz');
  const { targets, clusters } = parseConfig(config, { file: home.configFile, home });
  expect(targets).toMatchObject([{ protocol: 's3' }]);
  expect(clusters.services).toMatchObject([{ protocol: 'svc' }]);
});
