/**
 * Tests that every command block of the documentation and the help has valid shell syntax and known
 * holdfast commands.
 */

import { spawnSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { mistakeIn } from '../../docs/command-tree.ts';
import { helpBlocks } from '../../docs/help-page.ts';
import { HELP_NOT_RUN, NO_ROW } from '../../docs/help-not-run.ts';
import { HELP_REMARKS } from '../../docs/help-remarks.ts';
import { blocksOf, PAGES, pageText } from '../../docs/pages.ts';
import { ownCommands, shellCommands } from '../../docs/shell-commands.ts';
import { missingLine } from '../../docs/shown-output.ts';

describe('command blocks of the documentation', () => {
  it.each(PAGES)('the page %s uses only known holdfast commands and options', async (page) => {
    const mistakes: string[] = [];
    for (const block of blocksOf(page)) {
      for (const words of ownCommands(`${block.before}\n${block.script}`)) {
        // `holdfast` without arguments is a valid command: it opens the dashboard.
        if (words.length === 0) continue;
        const mistake = await mistakeIn(words, { isScript: block.notRun === undefined });
        if (mistake) mistakes.push(`${page}:${block.line}: ${words.join(' ')}: ${mistake}`);
      }
    }
    expect(mistakes).toEqual([]);
  });

  it.each(PAGES)('all command blocks of the page %s have valid shell syntax', (page) => {
    const scripts = blocksOf(page).map(({ before, script }) => `{\n${before}\n${script}\n}\n`);
    const { stderr } = spawnSync('bash', ['-n'], { input: scripts.join(''), encoding: 'utf8' });
    expect(stderr).toBe('');
  });
});

const blocks = await helpBlocks();

describe('examples in the help of commands', () => {
  it('the help examples use only known holdfast commands and options', async () => {
    const mistakes: string[] = [];
    for (const { page, before, script, notRun } of blocks) {
      for (const words of ownCommands(`${before}\n${script}`)) {
        // `holdfast` without arguments is a valid command: it opens the dashboard.
        if (words.length === 0) continue;
        const mistake = await mistakeIn(words, { isScript: notRun === undefined });
        if (mistake) mistakes.push(`${page}: ${words.join(' ')}: ${mistake}`);
      }
    }
    expect(mistakes).toEqual([]);
  });

  it('all help examples have valid shell syntax', () => {
    const scripts = blocks.map(({ before, script }) => `{\n${before}\n${script}\n}\n`);
    const { stderr } = spawnSync('bash', ['-n'], { input: scripts.join(''), encoding: 'utf8' });
    expect(stderr).toBe('');
  });

  it('every command has help examples that run in a test session, or a reason why not', () => {
    const withoutRow = blocks.filter(({ notRun }) => notRun === NO_ROW);
    expect(withoutRow.map(({ page, notRun }) => `${page}: ${notRun}`)).toEqual([]);
    const rows = [...Object.keys(HELP_REMARKS), ...Object.keys(HELP_NOT_RUN)];
    const pages = new Set(blocks.map(({ page }) => page));
    expect(rows.map((path) => `holdfast ${path} --help`).toSorted()).toEqual([...pages].toSorted());
  });

  it('more than nine of ten help examples run in a test session', () => {
    const run = blocks.filter(({ notRun }) => notRun === undefined);
    expect(run).toHaveLength(Object.keys(HELP_REMARKS).length);
    expect(Object.keys(HELP_NOT_RUN).length).toBeLessThan(run.length / 10);
  });

  it('the help examples use a shell variable for every version id', () => {
    const scripts = blocks.map(({ script }) => script).join('\n');
    const ids = [...scripts.matchAll(/--version-id (\S+)/g)].map((match) => match[1]);
    expect(new Set(ids)).toEqual(new Set(['"$ID"']));
  });
});

describe('docs/performance.md', () => {
  it('docs/performance.md shows a command for every part of the benchmark and for no other part', () => {
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

describe('parsing of command blocks', () => {
  const page = (text: string) => blocksOf('page.md', text);

  it('the script of a command block, its line number and the reason why tests do not run it are read', () => {
    const text = 'x\n\n<!-- not run: it needs root -->\n```sh\nsudo true\n```\n';
    expect(page(text)).toEqual([
      {
        page: 'page.md',
        line: 5,
        script: 'sudo true\n',
        notRun: 'it needs root',
        needs: [],
        before: '',
        output: undefined,
      },
    ]);
  });

  it('the script of a console block is the command after the prompt', () => {
    expect(page('```console\n$ holdfast status\nanswer\n```\n')[0]?.script).toBe(
      'holdfast status\n',
    );
  });

  it('a console block marked with "output: checked" is run and must print the output on the page', () => {
    const text = '<!-- output: checked -->\n```console\n$ holdfast status\nanswer\n```\n';
    expect(page(text)[0]).toMatchObject({ notRun: undefined, output: 'answer\n' });
  });

  it('output may differ from the page in a date, a duration or a percentage', () => {
    const shown = 'notes  in sync\n  2 files in 0.2 s, 30 %, since 2026-11-21 05:24\n';
    const run = 'x\nnotes in sync\n  2 files in 13 ms, 100 %, since 2027-01-01 00:00\n';
    expect(missingLine(shown, run)).toBeUndefined();
    expect(missingLine(shown, run.replace('2 files', '3 files'))).toContain('2 files');
    expect(missingLine('b\na\n', 'a\nb\n')).toBe('a');
  });

  it('a command block can have a preparation of several lines and required tools', () => {
    const text = '<!-- before:\nmkdir a\ncd a\n-->\n<!-- needs: rclone -->\n```sh\nls\n```\n';
    expect(page(text)[0]).toMatchObject({ before: 'mkdir a\ncd a', needs: ['rclone'] });
  });

  it('code blocks in other languages are ignored', () => {
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
  ])('the shell script %j is split into commands and words', (script, commands) => {
    expect(shellCommands(script)).toEqual(commands);
  });

  it.each([
    ['X=1 npx holdfast s3 ls', [['s3', 'ls']]],
    ['sudo -u holdfast holdfast --home /x status', [['--home', '/x', 'status']]],
    ['timeout 5 holdfast log', [['log']]],
    ['aws s3 ls', []],
  ])('the holdfast commands in %j are found', (script, commands) => {
    expect(ownCommands(script)).toEqual(commands);
  });

  it.each([
    [['statuss']],
    [['status', '--no-such-option']],
    [['s3', 'encrypt', 'nothing']],
    [['s3', 'cp', 'one']],
  ])('a mistake in the command %j is found', async (words) => {
    expect(await mistakeIn(words)).toBeDefined();
  });

  it('a command in a script that would ask for confirmation and lacks --yes is a mistake', async () => {
    expect(await mistakeIn(['s3', 'rb', 'photos'])).toBeUndefined();
    expect(await mistakeIn(['s3', 'rb', 'photos'], { isScript: true })).toContain('--yes');
    expect(await mistakeIn(['s3', 'rb', 'photos', '--yes'], { isScript: true })).toBeUndefined();
  });
});
