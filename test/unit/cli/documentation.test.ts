/** Every command block of the documentation, whether it can be run here or not: its syntax, and each command of ours. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { mistakeIn } from '../../docs/command-tree.ts';
import { helpBlocks } from '../../docs/help-page.ts';
import { HELP_NOT_RUN, NO_ROW } from '../../docs/help-not-run.ts';
import { HELP_REMARKS } from '../../docs/help-remarks.ts';
import { blocksOf, PAGES, pageText, ROOT } from '../../docs/pages.ts';
import { ownCommands, shellCommands } from '../../docs/shell-commands.ts';

describe('the commands of', () => {
  it.each(PAGES)('%s are known, with all their options', async (page) => {
    const mistakes: string[] = [];
    for (const block of blocksOf(page)) {
      for (const words of ownCommands(`${block.before}\n${block.script}`)) {
        const mistake = await mistakeIn(words, { isScript: block.notRun === undefined });
        if (mistake) mistakes.push(`${page}:${block.line}: ${words.join(' ')}: ${mistake}`);
      }
    }
    expect(mistakes).toEqual([]);
  });

  it.each(PAGES)('%s are syntax of a shell', (page) => {
    const scripts = blocksOf(page).map(({ before, script }) => `{\n${before}\n${script}\n}\n`);
    const { stderr } = spawnSync('bash', ['-n'], { input: scripts.join(''), encoding: 'utf8' });
    expect(stderr).toBe('');
  });
});

describe('the examples of the help', () => {
  const blocks = helpBlocks();

  it('are known commands, with all their options', async () => {
    const mistakes: string[] = [];
    for (const { page, before, script, notRun } of blocks) {
      for (const words of ownCommands(`${before}\n${script}`)) {
        // Bare, it is the dashboard.
        if (words.length === 0) continue;
        const mistake = await mistakeIn(words, { isScript: notRun === undefined });
        if (mistake) mistakes.push(`${page}: ${words.join(' ')}: ${mistake}`);
      }
    }
    expect(mistakes).toEqual([]);
  });

  it('are syntax of a shell', () => {
    const scripts = blocks.map(({ before, script }) => `{\n${before}\n${script}\n}\n`);
    const { stderr } = spawnSync('bash', ['-n'], { input: scripts.join(''), encoding: 'utf8' });
    expect(stderr).toBe('');
  });

  it('are run in a session, or have a reason why not: every command has one row', () => {
    const withoutRow = blocks.filter(({ notRun }) => notRun === NO_ROW);
    expect(withoutRow.map(({ page, notRun }) => `${page}: ${notRun}`)).toEqual([]);
    const rows = [...Object.keys(HELP_REMARKS), ...Object.keys(HELP_NOT_RUN)];
    const pages = new Set(blocks.map(({ page }) => page));
    expect(rows.map((path) => `holdfast ${path} --help`).toSorted()).toEqual([...pages].toSorted());
  });

  it('are run for nine commands of ten', () => {
    const run = blocks.filter(({ notRun }) => notRun === undefined);
    expect(run).toHaveLength(Object.keys(HELP_REMARKS).length);
    expect(Object.keys(HELP_NOT_RUN).length).toBeLessThan(run.length / 10);
  });

  it('name no version id that no version can have', () => {
    const scripts = blocks.map(({ script }) => script).join('\n');
    const ids = [...scripts.matchAll(/--version-id (\S+)/g)].map((match) => match[1]);
    expect(new Set(ids)).toEqual(new Set(['"$ID"']));
  });
});

describe('the links of', () => {
  it.each(PAGES)('%s lead somewhere', (page) => {
    const links = [...pageText(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
    const own = links.filter((link) => !/^\w+:/.test(link));
    expect(own.filter((link) => !leads(page, link))).toEqual([]);
  });

  function leads(page: string, link: string): boolean {
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, file))) return false;
    return anchor === undefined || headings(pageText(file)).includes(anchor);
  }

  /** As GitHub names them. */
  function headings(text: string): string[] {
    return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
  }
});

describe('performance.md', () => {
  it('says of each part of the bench how to repeat it, and of no other', () => {
    const source = pageText('test/bench/main.ts');
    const parts = [...source.matchAll(/^ {2}(\w+): (?:async )?\(\{ folder/gm)].map(
      (match) => match[1],
    );
    const said = [
      ...pageText('docs/performance.md').matchAll(/\| `npm run bench -- --only (\w+)`/g),
    ];
    expect(new Set(said.map((match) => match[1]))).toEqual(new Set(parts));
  });
});

describe('what is looked for', () => {
  const page = (text: string) => blocksOf('page.md', text);

  it('is a block with what is said before it, and where it stands', () => {
    const text = 'x\n\n<!-- not run: it needs root -->\n```sh\nsudo true\n```\n';
    expect(page(text)).toEqual([
      {
        page: 'page.md',
        line: 5,
        script: 'sudo true\n',
        notRun: 'it needs root',
        needs: [],
        before: '',
      },
    ]);
  });

  it('is what a session shows after its prompt', () => {
    expect(page('```console\n$ holdfast status\nanswer\n```\n')[0]?.script).toBe(
      'holdfast status\n',
    );
  });

  it('is a preparation of several lines, and a tool', () => {
    const text = '<!-- before:\nmkdir a\ncd a\n-->\n<!-- needs: rclone -->\n```sh\nls\n```\n';
    expect(page(text)[0]).toMatchObject({ before: 'mkdir a\ncd a', needs: ['rclone'] });
  });

  it('is no block of another language', () => {
    expect(page('<!-- before: x -->\n```yaml\na: 1\n```\n\n```sh\nls\n```\n')).toMatchObject([
      { before: '', script: 'ls\n' },
    ]);
  });

  it.each([
    ['a "b c" \'d e\' f\\ g', [['a', 'b c', 'd e', 'f g']]],
    ['a # b', [['a']]],
    ['a && b; c | d &', [['a'], ['b'], ['c'], ['d']]],
    ['a \\\n  b', [['a', 'b']]],
    [
      'eval "$(a --b)"',
      [
        ['a', '--b'],
        ['eval', '$(…)'],
      ],
    ],
    ['a > b 2>/dev/null < c >&2', [['a']]],
    ["a <<'END'\nb c\nEND\nd", [['a'], ['d']]],
  ])('are the words of %j', (script, commands) => {
    expect(shellCommands(script)).toEqual(commands);
  });

  it.each([
    ['X=1 npx holdfast ls', [['ls']]],
    ['sudo -u holdfast holdfast --home /x status', [['--home', '/x', 'status']]],
    ['timeout 5 holdfast log', [['log']]],
    ['aws s3 ls', []],
  ])('is ours in %j', (script, commands) => {
    expect(ownCommands(script)).toEqual(commands);
  });

  it.each([
    [['statuss']],
    [['status', '--no-such-option']],
    [['encrypt', 'nothing']],
    [['cp', 'one']],
  ])('would be missed where %j is wrong', async (words) => {
    expect(await mistakeIn(words)).toBeDefined();
  });

  it('is a question that a script cannot answer', async () => {
    expect(await mistakeIn(['rb', 'photos'])).toBeUndefined();
    expect(await mistakeIn(['rb', 'photos'], { isScript: true })).toContain('--yes');
    expect(await mistakeIn(['rb', 'photos', '--yes'], { isScript: true })).toBeUndefined();
  });
});
