/**
 * Tests of skins (color themes) that users write: fields, errors, and reloading after a change of
 * the file.
 */

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, test } from 'vitest';

import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';
import { notedTheme, noteTheme } from '../../../tui/data/notes.ts';
import { faintColours, parseSkin } from '../../../tui/theme/skin-file.ts';
import { SkinFolder } from '../../../tui/theme/skin-folder.ts';
import { SHIPPED_SKINS } from '../../../tui/theme/skins.ts';
import { COLOUR_NAMES } from '../../../tui/theme/tones.ts';
import { Themes } from '../../../tui/theme/themes.ts';

const TERMINAL = { depth: 'truecolour', background: 'dark', charset: 'unicode' } as const;
const FOREST = JSON.stringify({ inherits: 'light', folder: '#006600' });

describe('parsing of a skin file', () => {
  test('a skin file inherits all fields that it does not define from a shipped skin', () => {
    const { colours, background, sixteen } = parseSkin(FOREST);
    const { light } = SHIPPED_SKINS;
    expect(colours).toEqual({ ...light.colours, folder: '#006600' });
    expect([background, sixteen]).toEqual([light.background, light.sixteen]);
  });

  test('a skin file inherits from the dark skin unless it names another', () => {
    expect(parseSkin('{}')).toEqual(SHIPPED_SKINS.dark);
  });

  test('the dashboard accepts the number of a color for terminals with 256 colors in a skin file', () => {
    const changed = parseSkin('{"selection": "#400040"}');
    expect([parseSkin('{}').indexed, changed.indexed]).toEqual([{ selection: 236 }, {}]);
  });

  test.each([
    ['{"folder": "blue"}', 'folder: "blue" is not a colour; write #rrggbb'],
    ['{"tab": 7}', 'tab: 7 is not a colour; write #rrggbb'],
    ['{"background": "#fff"}', 'background: "#fff" is not a colour; write #rrggbb'],
    ['{"foldr": "#ffffff"}', 'foldr: unknown field'],
    ['{"__proto__": "#ffffff"}', '__proto__: unknown field'],
    ['{"inherits": "mono"}', 'inherits: write dark, light, high-contrast'],
    ['[]', 'must be a JSON object'],
    ['{', 'invalid JSON: '],
  ])('the dashboard refuses the skin file %s: %s', (text, message) => {
    expect(() => parseSkin(text)).toThrow(message);
  });

  test('the dashboard names the text colors of a skin that are hard to read on its background', () => {
    expect(faintColours(parseSkin('{"dim": "#505050"}'))).toEqual(['dim']);
    expect(faintColours(parseSkin('{}'))).toEqual([]);
  });
});

test('docs/how-to/dashboard.md describes each field of a skin and has a valid example', () => {
  const page = readFileSync('docs/how-to/dashboard.md', 'utf8').split('### Your own skin')[1] ?? '';
  const example = /```json\n([^`]+)```/.exec(page)?.[1] ?? '';
  expect(faintColours(parseSkin(example))).toEqual([]);
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) => row.split('|')[1]?.match(/\w+/g) ?? []);
  expect(named.toSorted()).toEqual(['inherits', 'background', ...COLOUR_NAMES].toSorted());
});

describe("the folder with the user's skins", () => {
  const open: SkinFolder[] = [];

  afterEach(() => {
    for (const folder of open.splice(0)) folder.close();
  });

  function start({ exists = true } = {}) {
    const folder = join(temporaryFolder(), 'skins');
    if (exists) mkdirSync(folder);
    const [clock, themes, warnings] = [new FakeClock(), new Themes(TERMINAL), [] as string[]];
    const skins = new SkinFolder({
      folder,
      clock,
      warn: (text) => void warnings.push(text),
      changed: (found) => themes.setSkins(found),
    });
    open.push(skins);
    const write = (name: string, text: string) => {
      mkdirSync(folder, { recursive: true });
      const part = join(folder, '.part');
      writeFileSync(part, text);
      renameSync(part, join(folder, name));
    };
    /** Waits until the reloaded skins satisfy the condition. */
    const settled = (isDone: () => boolean) =>
      until(
        () => {
          clock.advance(1_000);
          return isDone();
        },
        (done) => done,
      );
    return { folder, skins, themes, warnings, write, settled };
  }

  test('the dashboard updates the selected skin when its file changes', async () => {
    const { skins, themes, write, settled } = start();
    write('forest.json', FOREST);
    skins.read();
    themes.setSkins(skins.skins);
    skins.watch();
    expect(themes.names).toContain('forest');
    themes.choose('forest');
    expect(themes.look.paint('folder', 'x')).toContain('38;2;0;102;0');
    write('forest.json', '{"folder": "#0000ff"}');
    await settled(() => themes.look.paint('folder', 'x').includes('38;2;0;0;255'));
  });

  test('the dashboard reports an invalid skin file once and keeps the last valid skin', async () => {
    const { skins, themes, warnings, write, settled } = start();
    write('forest.json', FOREST);
    skins.read();
    themes.setSkins(skins.skins);
    themes.choose('forest');
    skins.watch();
    write('forest.json', '{"folder": "green"}');
    await settled(() => warnings.length > 0);
    skins.read();
    expect(warnings).toEqual(['skin forest: folder: "green" is not a colour; write #rrggbb']);
    expect(themes.look.paint('folder', 'x')).toContain('38;2;0;102;0');
  });

  test('the dashboard reads a skin folder that is created later, and has no skins after it is removed', async () => {
    const { folder, skins, themes, write, settled } = start({ exists: false });
    skins.read();
    skins.watch();
    write('forest.json', FOREST);
    await settled(() => themes.names.includes('forest'));
    expect(themes.choose('forest')).toContain('forest');
    rmSync(folder, { recursive: true });
    await settled(() => !themes.names.includes('forest'));
    write('forest.json', FOREST);
    await settled(() => themes.names.includes('forest'));
  });

  test('the dashboard refuses a skin with the name of a shipped theme and ignores other files', () => {
    const { skins, warnings, write } = start();
    write('dark.json', '{}');
    write('readme.txt', 'no skin');
    skins.read();
    expect([...skins.skins.keys()]).toEqual([]);
    expect(warnings).toEqual(['skin dark: a shipped theme has that name; rename the file']);
  });

  test('the dashboard uses a skin with text that is hard to read and names it in a warning', () => {
    const { skins, warnings, write } = start();
    write('fog.json', '{"dim": "#505050"}');
    skins.read();
    expect(skins.skins.has('fog')).toBe(true);
    expect(warnings).toEqual(['skin fog: dim: a contrast of less than 4.5:1 to the background']);
  });
});

describe('selection of a theme', () => {
  test.each([
    ['light', 'the theme is light, with 16 million colours'],
    ['mono', 'the theme is mono, with no colours'],
    ['auto', 'the theme is dark, with 16 million colours'],
  ])('the dashboard confirms the theme %s: %s', (name, text) => {
    expect(new Themes(TERMINAL).choose(name)).toBe(text);
  });

  test('the dashboard lists the known themes in the error for an unknown theme', () => {
    expect(() => new Themes(TERMINAL).choose('pink')).toThrow(
      'unknown theme "pink": choose one of auto, dark, light, high-contrast, mono',
    );
  });

  test('the dashboard refuses a theme with colors if the environment disables colors', () => {
    const themes = new Themes({ ...TERMINAL, depth: 'mono' });
    expect(() => themes.choose('light')).toThrow('NO_COLOR or TERM turns colours off');
    expect(themes.choose('auto')).toBe('the theme is mono, with no colours');
  });

  test('the dashboard saves the selected theme for the next session and keeps other saved values', async () => {
    const file = join(temporaryFolder(), 'dashboard.json');
    expect(notedTheme(file)).toBe(undefined);
    writeFileSync(file, '{"openedBuckets": []}');
    await noteTheme(file, 'light');
    expect(notedTheme(file)).toBe('light');
  });
});
