/** Configurations of earlier releases: what `config.example.yaml` explained then is understood now. */

import { expect, it } from 'vitest';

import { resolveHome } from '../../../src/config/home.ts';
import { parseConfig } from '../../../src/config/load.ts';
import { fixtureNames, readFixture } from '../../formats/fixture.ts';

const home = resolveHome({ homeFlag: '/home/of/holdfast', env: {}, cwd: '/' });

/** For some hours it meant days; it is refused with its new name, since an hour more or less decides when locks end. */
const RENAMED = /maxClockJumpDays: unknown key; did you mean maxClockJumpHours\?/;

const examples = fixtureNames('config').flatMap((name) => Object.entries(readFixture(name).files));

/** With all options on: a line that begins with # and a word right behind it is one that is off. */
const allOn = (text: string) => text.replaceAll(/^(\s*)#(\w)/gm, '$1$2');

it.each(examples)('%s', (_, latin1) => {
  const text = Buffer.from(latin1, 'latin1').toString();
  for (const each of [text, allOn(text)]) {
    const parse = () => parseConfig(each, { file: home.configFile, home });
    if (each.includes('maxClockJumpDays')) expect(parse).toThrow(RENAMED);
    else expect(parse().jobs.length).toBeGreaterThan(0);
  }
});
