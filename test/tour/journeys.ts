/** The journeys: sessions of a user who has never used Holdfast, as commands and answers. */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface World {
  readonly home: string;
  /** Returns the secret access key of the user for the S3 service. */
  readonly secret: () => string;
  /**
   * Kills the process with this command line on the user's computer, and waits until it has ended.
   */
  readonly kill: (command: string) => Promise<void>;
  /** SHA-256 of files by path. A step stores them for a later step. */
  remembered: ReadonlyMap<string, string>;
}

export interface Step {
  /** Markdown text that explains the step in the documentation. */
  readonly says?: string;
  /** Days that pass before the step. By default, five minutes pass. */
  readonly daysLater?: number;
  readonly types: string;
  /**
   * Pairs of a text to wait for, and the answer that the user then types. In the dashboard, the
   * answer is a sequence of keys.
   */
  readonly answers?: readonly (readonly [string | RegExp, string | ((world: World) => string)])[];
  readonly shows: readonly (string | RegExp)[];
  readonly exits?: number;
  /**
   * True if the command opens the dashboard. The tour draws its screens, but the page does not show
   * them.
   */
  readonly isDashboard?: boolean;
  readonly before?: (world: World) => unknown;
  /** Throws an error if the state after the step is wrong. */
  readonly after?: (world: World) => void;
}

export interface Journey {
  readonly name: string;
  readonly title: string;
  readonly intro: string;
  readonly hasService?: boolean;
  readonly setUp: (home: string) => void;
  readonly steps: readonly Step[];
}

const SERVICE = 'http://192.168.1.20:9000';

function makePapers(home: string): void {
  mkdirSync(join(home, 'Papers/scans'), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(home, 'Papers', name), text);
  write('contract.txt', 'We agree on ten percent, and on the date.\n');
  write('notes.md', '# Notes\n\nBuy bread.\n');
  for (let page = 1; page <= 12; page += 1)
    write(`scans/page-${String(page).padStart(2, '0')}.pgm`, 'P5 2 2 255\n'.padEnd(40_000, 'x'));
}

function makeLetters(home: string): void {
  mkdirSync(join(home, 'Letters'));
  writeLetter(home, [QUIET, ASK, 'Yours, Bob']);
}

const [QUIET, ASK] = [
  'The house is quiet since you left. I watered the plants.',
  'The neighbours ask for you every day.',
];

function writeLetter(home: string, paragraphs: readonly string[]): void {
  writeFileSync(join(home, 'Letters/ann.txt'), `${['Dear Ann,', ...paragraphs].join('\n\n')}\n`);
}

export function hashesOf(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const contents = files.filter((name) => statSync(join(folder, name)).isFile());
  const hash = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return new Map(contents.map((name) => [name, hash(name)]));
}

const remember =
  (folder: string) =>
  (world: World): void => {
    world.remembered = hashesOf(join(world.home, folder));
  };

const isEqual =
  (folder: string) =>
  ({ home, remembered }: World): void => {
    const [now, then] = [hashesOf(join(home, folder)), remembered].map((hashes) =>
      JSON.stringify([...hashes]),
    );
    if (now !== then || remembered.size === 0)
      throw new Error(`the files in ${folder} differ from the original files`);
  };

const LOSE: Journey = {
  name: 'lose-a-file',
  title: 'Protect a folder, lose a file, get it back',
  intro: 'Ann has installed Holdfast ([install.md](install.md)) and has a folder `Papers`.',
  setUp: makePapers,
  steps: [
    {
      says: 'Without arguments, `holdfast` asks what to do. Ann presses Enter to accept most of the suggested answers.',
      types: 'holdfast',
      answers: [
        ['What would you like to do', '1'],
        ['Folder to back up', '~/Papers'],
        ['Destination', ''],
        ['Bucket', ''],
        ['Lock', ''],
        ['days', ''],
        ['start it?', ''],
      ],
      shows: ['papers  in sync', '14 sent', 'Try next:', 'holdfast history'],
    },
    {
      says: 'The daemon stores each change as a new version. `holdfast wait` ends when all changes are stored.',
      types: "echo 'We agree on 12 percent.' > Papers/contract.txt; holdfast wait",
      shows: ['papers: in sync'],
      after: remember('Papers'),
    },
    {
      says: 'Then Ann deletes a file by mistake.',
      types: 'rm Papers/contract.txt; holdfast wait',
      shows: ['papers: in sync'],
    },
    {
      types: 'holdfast history Papers/contract.txt',
      shows: ['deleted', '24 B', '42 B', '10 min ago', 'GOVERNANCE until', 'holdfast undo'],
    },
    {
      says: 'One command restores the file.',
      types: 'holdfast undo Papers/contract.txt',
      shows: ['is current again', 'holdfast undo --redo'],
      after: isEqual('Papers'),
    },
    { types: 'cat Papers/contract.txt', shows: ['We agree on 12 percent.'] },
    { types: 'holdfast status', shows: ['in sync', '14 files', 'proven restorable'] },
    {
      says: 'From now on, `holdfast` without arguments opens the [dashboard](../how-to/dashboard.md).',
      types: 'holdfast',
      isDashboard: true,
      answers: [[/papers .*watching/, 'q']],
      shows: [],
    },
  ],
};

const LOST_LAPTOP: Journey = {
  name: 'lose-the-machine',
  title: 'Back up to an S3 service, lose the machine, get everything back',
  intro:
    `Ann has an access key for an S3 service in her network, ${SERVICE}. The service is another Holdfast, and the key ` +
    'has no full access. Such a key may not extend GOVERNANCE locks, so Ann chooses COMPLIANCE.',
  hasService: true,
  setUp: makePapers,
  steps: [
    {
      types: 'holdfast init Papers',
      answers: [
        ['Destination', '2'],
        ['Service', SERVICE],
        ['Region', ''],
        ['Access key ID', 'holdfast:laptop@local'],
        ['Secret access key', ({ secret }) => secret()],
        ['Bucket', ''],
        ['Lock', 'compliance'],
        ['days', ''],
        ['start it?', ''],
      ],
      shows: ['accepts the key', 'papers  in sync', 'restored unchanged', 'papers is protected'],
      after: remember('Papers'),
    },
    {
      says: 'The backup is on another machine, and a restore test has passed. So the job is *protected*.',
      types: 'holdfast status',
      shows: ['protected', SERVICE, '14 files'],
    },
    {
      says:
        'Ann loses the laptop. The test kills its processes and deletes all files. On a new laptop with only Holdfast ' +
        'installed, Ann needs the URL of the bucket and the access key.',
      before: async ({ home, kill }) => {
        await kill('main.js service run');
        for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true });
      },
      types: 'holdfast',
      answers: [
        ['What would you like to do', '2'],
        ['Bucket', `${SERVICE}/papers`],
        ['Access key ID', 'holdfast:laptop@local'],
        ['Secret access key', ({ secret }) => secret()],
        ['To folder', '~/Papers'],
      ],
      shows: ['restored to /home/ann/Papers', '14 files'],
      after: isEqual('Papers'),
    },
    {
      says: 'Scripts use `restore --from`, and set the key in the environment.',
      types: 'export HOLDFAST_TARGET_ACCESS_KEY_ID=holdfast:laptop@local',
      shows: [],
    },
    {
      types: 'read -rsp "Secret: " HOLDFAST_TARGET_SECRET_ACCESS_KEY; echo',
      answers: [['Secret: ', ({ secret }) => secret()]],
      shows: [],
    },
    { types: 'export HOLDFAST_TARGET_SECRET_ACCESS_KEY', shows: [] },
    {
      types: `holdfast restore --from ${SERVICE}/papers --to copy`,
      shows: ['restored to /home/ann/copy', '14 files'],
      after: isEqual('copy'),
    },
    {
      says: "The new laptop takes over the old laptop's backup and continues it.",
      types: `holdfast up Papers --to ${SERVICE} --take-over --detach`,
      shows: ['papers'],
    },
    { types: 'holdfast wait', shows: ['papers: in sync'] },
    { types: 'holdfast history Papers', shows: ['ADDED', '14'] },
  ],
};

const PARAGRAPH: Journey = {
  name: 'find-a-paragraph',
  title: 'Find out when a paragraph disappeared',
  intro: 'Ann writes a letter over several days. Holdfast backs up the folder `Letters`.',
  setUp: makeLetters,
  steps: [
    { types: 'holdfast init Letters --yes', shows: ['letters  in sync', '1 sent (119 B)'] },
    {
      says: 'The next day, Ann changes a sentence.',
      daysLater: 1,
      before: ({ home }) => writeLetter(home, [`${QUIET} Twice.`, ASK, 'Yours, Bob']),
      types: 'holdfast wait',
      shows: ['letters: in sync'],
      after: remember('Letters'),
    },
    {
      says: 'Two days later, Ann loses a paragraph in another change. The day after, she changes the end of the letter.',
      daysLater: 2,
      before: ({ home }) => writeLetter(home, [`${QUIET} Twice.`, 'Yours, Bob']),
      types: 'holdfast wait',
      shows: ['letters: in sync'],
    },
    {
      daysLater: 1,
      before: ({ home }) => writeLetter(home, [`${QUIET} Twice.`, 'Always yours, Bob']),
      types: 'holdfast wait',
      shows: ['letters: in sync'],
    },
    {
      says: 'Ann misses the sentence about the neighbours. The history shows when the letter became smaller.',
      types: 'holdfast history Letters/ann.txt',
      shows: ['4 d ago', '3 d ago', /-39 B/, 'this computer'],
    },
    {
      says: '`holdfast diff` shows which text was lost between two times.',
      types: "holdfast diff Letters/ann.txt --from '3 days ago' --to '1 day ago'",
      shows: ['-The neighbours ask for you every day.'],
    },
    {
      says: 'The last version with the paragraph is number 2. Ann restores it to another folder, so the letter in `Letters` does not change.',
      types: "holdfast restore Letters/ann.txt --at '3 days ago' --to before",
      shows: ['restored to /home/ann/before', '1 file'],
      after: isEqual('before'),
    },
    {
      says: 'Or she makes version 2 the current version again. The newer versions stay in the history.',
      types: 'holdfast undo Letters/ann.txt~2',
      shows: ['is current again'],
      after: isEqual('Letters'),
    },
    { types: 'holdfast history Letters', shows: ['DAY'] },
  ],
};

export const JOURNEYS: readonly Journey[] = [LOSE, LOST_LAPTOP, PARAGRAPH];
