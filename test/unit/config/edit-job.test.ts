import { readFileSync, writeFileSync } from 'node:fs';

import { array, assert, constant, constantFrom, oneof, property, record, string } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { changeSource } from '../../../src/config/change-source.ts';
import { ConfigError } from '../../../src/config/config-error.ts';
import { editJob, planJobEdit } from '../../../src/config/edit.ts';
import { resolveHome } from '../../../src/config/home.ts';
import { parseConfig } from '../../../src/config/load.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { changedLines } from '../../../src/text/line-diff.ts';

const COMMENTED = `# mine
jobs: # all of them
  - name: papers
    folder: /papers   # on the big disk
    bucket: papers
    # files that are not needed
    exclude:
      - "*.bak"   # of the editor
      # caches
      - .cache/
    conflict: local # I know best
    # how long
    lock:
      mode: GOVERNANCE   # for now
      days: 30
    rescanMinutes: 30

  # then music
  - {bucket: music, name: music,   folder: /music}
targets:
  - {name: eu, endpoint: "https://eu.example"}
`;

/** Lines that no edit in these tests changes. */
const KEPT = COMMENTED.split('\n').filter((line) =>
  /mine|all of|papers|not needed|how long/.test(line),
);

const home = resolveHome({ homeFlag: '/h', env: {}, cwd: '/' });
const jobsOf = (text: string) => parseConfig(text, { file: '/config.yaml', home }).jobs;

function edited(changes: Record<string, unknown>, name = 'papers', text = COMMENTED): string {
  let changed = text;
  for (const [key, value] of Object.entries(changes))
    changed = changeSource(changed, { kind: 'set', list: 'jobs', name, key, value }) ?? '';
  return changed;
}

function editedLines(changes: Record<string, unknown>, name?: string): string[] {
  return changedLines(COMMENTED, edited(changes, name))
    .filter(({ is }) => is !== 'same')
    .map(({ is, text }) => `${is === 'added' ? '+' : '-'}${text}`);
}

describe('editing one job in the configuration file', () => {
  it.each([
    [
      'a new value of an existing key',
      { conflict: 'ask' },
      ['-    conflict: local # I know best', '+    conflict: ask # I know best'],
    ],
    ['a value of a new key', { verifyDays: 7 }, ['+    verifyDays: 7']],
    ['a string that needs quotes', { prefix: 'a: #b/' }, ['+    prefix: "a: #b/"']],
    ['a string of two lines', { prefix: 'a\nb/' }, undefined],
    [
      'no value for a key that is reset to its default',
      { rescanMinutes: null },
      ['-    rescanMinutes: 30'],
    ],
    ['no list for a key that is reset to its default', { exclude: null }, undefined],
    ['nothing if a missing key is reset', { verifyDays: null }, []],
    ['an additional item of a list', { exclude: ['*.bak', '.cache/', 'tmp/'] }, undefined],
    [
      'a list without a removed item',
      { exclude: ['.cache/'] },
      ['-      - "*.bak"   # of the editor'],
    ],
    ['a member of a map', { lock: { mode: 'COMPLIANCE', days: 30, refreshDays: 3 } }, undefined],
  ])('an edit of a job writes %s', (_, changes, lines) => {
    const after = edited(changes);
    if (lines) expect(editedLines(changes)).toEqual(lines);
    const before = jobsOf(COMMENTED)[0];
    const wanted = Object.entries(changes).map(([key, value]) => [
      key,
      value === null ? jobsOf(edited({}, 'music'))[1]?.[key as 'exclude'] : value,
    ]);
    const [job, other] = jobsOf(after);
    expect(job).toMatchObject({ ...before, ...Object.fromEntries(wanted) });
    expect(other).toEqual(jobsOf(COMMENTED)[1]);
  });

  it('the configuration editor keeps the comments within the changed lines of a job', () => {
    const after = edited({ lock: { mode: 'COMPLIANCE', days: 30 }, exclude: ['.cache/', 'x'] });
    for (const comment of ['# for now', '# caches', '# how long', '# I know best', '# then music'])
      expect(after).toContain(comment);
  });

  it('the configuration editor rewrites the line of a job that is written in YAML flow style', () => {
    expect(editedLines({ exclude: ['a'] }, 'music')).toEqual([
      '-  - {bucket: music, name: music,   folder: /music}',
      '+  - { bucket: music, name: music, folder: /music, exclude: [ a ] }',
    ]);
  });

  it('property: any sequence of edits of a job takes effect and keeps all other lines', () => {
    const text = string({ minLength: 1, maxLength: 6 });
    const value = oneof(
      record({
        key: constant('exclude'),
        value: oneof(constant(null), array(text, { maxLength: 4 })),
      }),
      record({ key: constant('conflict'), value: constantFrom('ask', 'remote', null) }),
      record({ key: constant('rescanMinutes'), value: constantFrom(5, 7.5, null) }),
      record({
        key: constant('lock'),
        value: constantFrom(
          null,
          { mode: 'COMPLIANCE', days: 9, patterns: [{ match: 'a', days: 3 }] },
          { mode: 'GOVERNANCE', days: 30 },
        ),
      }),
    );
    assert(
      property(
        array(value, { minLength: 1, maxLength: 5 }),
        constantFrom('\n', '\r\n'),
        (all, eol) => {
          const start = COMMENTED.replaceAll('\n', eol);
          let after = start;
          for (const { key, value: wanted } of all) {
            after =
              changeSource(after, {
                kind: 'set',
                list: 'jobs',
                name: 'papers',
                key,
                value: wanted,
              }) ?? '';
            const [job] = jobsOf(after);
            if (wanted === null) continue;
            expect(job).toMatchObject({ [key]: wanted });
          }
          const lines = after.split(eol);
          for (const line of KEPT) expect(lines).toContain(line);
          expect(after.endsWith(start.slice(start.indexOf('  # then music')))).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the preview of a job edit', () => {
  function homeWith(text: string) {
    const own = resolveHome({ homeFlag: temporaryFolder(), env: {}, cwd: '/' });
    writeFileSync(own.configFile, text);
    return own;
  }

  it('the configuration editor reports the problems that a job edit would cause and writes nothing', async () => {
    const own = homeWith(COMMENTED);
    const plan = await planJobEdit(own, 'papers', { rescanMinutes: 0, nonsense: 1 });
    expect(plan.problems.map(({ path }) => path)).toEqual([
      'jobs[0].nonsense',
      'jobs[0].rescanMinutes',
    ]);
    expect(readFileSync(own.configFile, 'utf8')).toBe(COMMENTED);
    await expect(editJob(own, 'papers', { rescanMinutes: 0 })).rejects.toThrow('rescanMinutes');
    expect(readFileSync(own.configFile, 'utf8')).toBe(COMMENTED);
  });

  it('the configuration editor shows the same file in the preview that the job edit then writes', async () => {
    const own = homeWith(COMMENTED);
    const changes = { conflict: 'ask', exclude: [], lock: null };
    const plan = await planJobEdit(own, 'papers', changes);
    const { jobs } = await editJob(own, 'papers', changes);
    expect(readFileSync(own.configFile, 'utf8')).toBe(plan.after);
    expect(jobs[0]).toMatchObject({ conflict: 'ask', exclude: [] });
    expect(jobs[0]).not.toHaveProperty('lock');
  });

  it('the configuration editor refuses to preview an edit of an unknown job', async () => {
    const own = homeWith(COMMENTED);
    await expect(planJobEdit(own, 'letters', { conflict: 'ask' })).rejects.toThrow(
      'the list jobs has no such entry',
    );
  });
});

describe('line differences of two texts', () => {
  it('a line difference lists the lines of both texts in order and marks removed and added lines', () => {
    const text = array(constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) =>
      lines.join('\n'),
    );
    assert(
      property(text, text, (before, after) => {
        const lines = changedLines(before, after);
        const without = (is: 'added' | 'removed') =>
          lines
            .filter((line) => line.is !== is)
            .map((line) => line.text)
            .join('\n');
        expect(before).toContain(without('added'));
        expect(after).toContain(without('removed'));
        expect(lines.length === 0).toBe(before === after);
      }),
    );
  });
});

it('the configuration editor refuses to edit a value with a YAML anchor that another job uses', async () => {
  const own = resolveHome({ homeFlag: temporaryFolder('home'), env: {}, cwd: '/' });
  const text = `jobs:
  - {name: papers, folder: /papers, bucket: papers}
  - name: music
    folder: /music
    bucket: music
    exclude: &private
      - secret/
    conflict: &policy local
  - name: letters
    folder: /letters
    bucket: letters
    exclude: *private
    conflict: *policy
`;
  writeFileSync(own.configFile, text);
  for (const changes of [{ exclude: ['other/'] }, { conflict: 'remote' }, { conflict: null }])
    await expect(editJob(own, 'music', changes)).rejects.toThrow(ConfigError);
  expect(readFileSync(own.configFile, 'utf8')).toBe(text);
  await expect(planJobEdit(own, 'music', { conflict: 'remote' })).rejects.toThrow(/anchor/);
  await editJob(own, 'letters', { conflict: 'remote' });
  expect(jobsOf(readFileSync(own.configFile, 'utf8'))).toMatchObject([
    { name: 'papers' },
    { name: 'music', conflict: 'local', exclude: ['secret/'] },
    { name: 'letters', conflict: 'remote', exclude: ['secret/'] },
  ]);
});
