/** Tests of the layout of all screens at the sizes 60×16, 80×24, 120×40 and 200×60. */

import { expect, onTestFinished, test } from 'vitest';

import { FakeClock } from '../../helpers/fake-clock.ts';
import { seededStore } from '../../helpers/tui/bucket-seeds.ts';
import { clusterAnswers } from '../../helpers/tui/cluster-seeds.ts';
import { SeededConflicts, seededConflict } from '../../helpers/tui/conflict-seeds.ts';
import { jobAnswers } from '../../helpers/tui/job-seeds.ts';
import { lockAnswers } from '../../helpers/tui/lock-seeds.ts';
import { metricAnswers } from '../../helpers/tui/metric-seeds.ts';
import { SeededHistory } from '../../helpers/tui/restore-seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import type { Answers } from '../../helpers/tui/seeded-daemon.ts';
import { NOW, seededStatus } from '../../helpers/tui/seeds.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import { widthOf } from '../../../tui/text/width.ts';

const conflicts = () =>
  new SeededConflicts({
    media: [
      seededConflict(),
      seededConflict({ id: '', path: 'notes.md', state: 'held', retainUntil: undefined }),
    ],
  }).answers();

function history(): Answers {
  const world = new SeededHistory();
  return world.answers();
}

/** Keys or a palette command, and the text that the screen shows after all responses have arrived. */
type Step = readonly [keys: string, text: string];

const FOLDER: readonly Step[] = [
  ['2', 'archive'],
  ['enter', '2026/'],
  ['j enter', '07/'],
  ['j enter', 'contract.pdf'],
];
const JOB: readonly Step[] = [
  ['3', 'photos'],
  ['enter', 'permission denied'],
];
const CLUSTER: readonly Step[] = [['5', 'prod']];

/** The name of a screen, the responses of its daemon, and the steps that open it. */
const SCREENS: readonly (readonly [string, () => Answers, readonly Step[]])[] = [
  ['dashboard', () => jobAnswers, [['1', 'photos']]],
  ['buckets', () => seededStore().answers(), [['2', 'archive']]],
  ['objects', () => seededStore().answers(), FOLDER],
  ['versions', () => seededStore().answers(), [...FOLDER, ['j j v', 'Selected version']]],
  ['jobs', () => jobAnswers, [['3', 'photos']]],
  ['queue of a job', () => jobAnswers, JOB],
  ['locks of a job', () => jobAnswers, [...JOB, ['tab', 'old.mkv']]],
  ['history of a job', () => jobAnswers, [...JOB, ['tab tab', 'full, bucket']]],
  ['facts of a job', () => jobAnswers, [...JOB, ['tab tab tab', 'protection']]],
  [
    'held changes',
    () => jobAnswers,
    [
      ['3', 'media'],
      ['j j j a', 'films/0000.mkv'],
    ],
  ],
  ['conflicts', conflicts, [['4', 'report.md']]],
  ['clusters', () => clusterAnswers, CLUSTER],
  ['node groups', () => clusterAnswers, [...CLUSTER, ['enter', 'workers']]],
  [
    'node group',
    () => clusterAnswers,
    [...CLUSTER, ['enter', 'workers'], ['enter', 'ConfigUpdate']],
  ],
  ['metrics', () => metricAnswers, [['6', 'size of the bucket']]],
  [
    'alarm',
    () => metricAnswers,
    [
      ['6', 'size of the bucket'],
      ['tab enter', 'History'],
    ],
  ],
  ['locks', () => lockAnswers, [['7', 'photos']]],
  ['restore', () => history(), [[':restore photos', 'notes.md']]],
  [
    'settings of a bucket',
    () => seededStore().answers(),
    [
      ['2', 'archive'],
      ['e', 'versioning'],
    ],
  ],
];

async function open(answers: Answers, steps: readonly Step[], columns: number, rows: number) {
  const daemon = new SeededDaemon({ status: seededStatus, ...answers });
  const clock = new FakeClock(NOW);
  const screen = await new TestScreen({ columns, rows, clock, connect: daemon.connect }).start();
  onTestFinished(() => screen.close());
  for (const [keys, text] of steps) {
    if (keys.startsWith(':')) {
      await screen.press(':');
      await screen.type(`${keys.slice(1)}\r`);
    } else await screen.press(keys);
    await screen.tickUntil(text);
  }
  for (let turn = 0; turn < 3; turn += 1) await screen.tick();
  return screen;
}

/** Lines between the tabs and the keys at the bottom. */
const bodyOf = (text: string) => text.split('\n').slice(2, -1);

/** Returns the words that are not truncated. Bars and frames do not count as words. */
function wordsOf(text: string): string[] {
  const words = bodyOf(text)
    .join(' ')
    .split(/[\s│┌┐└┘─]+/);
  return words.filter((word) => /\w/.test(word) && !word.includes('…') && word.length <= LONGEST);
}

/** Longer words, such as an ETag, may take two lines in a pane of details. */
const LONGEST = 24;

test.each(SCREENS)(
  'the dashboard shows every word that the screen %s shows at 80×24 also at 120×40 and 200×60',
  async (_name, answers, steps) => {
    const screen = await open(answers(), steps, 80, 24);
    const narrow = wordsOf(screen.text());
    for (const [columns, rows] of [
      [120, 40],
      [200, 60],
    ] as const) {
      await screen.resize(columns, rows);
      for (let turn = 0; turn < 2; turn += 1) await screen.tick();
      const wide = new Set(wordsOf(screen.text()));
      expect(narrow.filter((word) => !wide.has(word))).toEqual([]);
    }
  },
);

test.each(SCREENS)(
  'the dashboard shows the list of the screen %s at 60×16',
  async (_name, answers, steps) => {
    const screen = await open(answers(), steps, 60, 16);
    const lines = screen.text().split('\n');
    const rows = lines.filter((line) => line.includes('❯'));
    expect(rows).toHaveLength(1);
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(60);
  },
);

const VERSIONS = [
  [':bucket archive/2026/07/contract.pdf', '❯ contract.pdf'],
  ['v', 'Selected version'],
  ['space', '2 of 4   1 marked'],
] as const;
const RESTORE = [
  [':restore photos', 'notes.md'],
  ['[ j j j', '❯ notes.md'],
] as const;

test.each<readonly [string, () => Answers, readonly Step[], readonly string[]]>([
  ['restore browser', history, RESTORE, ['R restore', 'Enter open']],
  ['versions', () => seededStore().answers(), VERSIONS, ['R restore', '= diff']],
  ['conflicts', conflicts, [['4', 'report.md']], ['A local', 'B bucket', 'K both', 'Enter open']],
])(
  'the dashboard omits movement keys in the footer of the %s before keys of actions',
  async (_name, answers, steps, hints) => {
    for (const [columns, rows] of [
      [60, 16],
      [80, 24],
    ] as const) {
      const screen = await open(answers(), steps, columns, rows);
      const footer = screen.text().split('\n').at(-1);
      for (const hint of [...hints, '? help']) expect(footer).toContain(hint);
      expect(footer).toMatch(/q (back|quit)/);
    }
  },
);
