/**
 * Five tasks in the dashboard, called journeys. Each starts at the first screen and needs at most
 * 12 keys. The keys are typed in a real terminal with a real daemon, and the effect is checked in
 * the store or in the folder.
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { DAY_MS, HOUR_MS } from '../../src/base/durations.ts';
import type { ShiftedClock } from '../helpers/shifted-clock.ts';

export interface JourneyWorld {
  readonly folder: string;
  readonly clock: ShiftedClock;
  /**
   * Runs a `holdfast` command outside of the dashboard, and returns its standard output. Rejects if
   * the command fails.
   */
  readonly cli: (...argv: string[]) => Promise<string>;
}

export interface JourneyStep {
  /** Names of keys, separated by spaces. Each name stands for one key press. */
  readonly keys: string;
  /** Text that the screen shows after the keys. */
  readonly shows: string | RegExp;
}

export interface DashboardJourney {
  readonly title: string;
  /** Returns additional lines of config.yaml. */
  readonly config?: (folder: string) => string;
  /** Milliseconds by which the daemon's clock is behind the real time at its start. */
  readonly startsBeforeMs?: number;
  readonly prepare: (world: JourneyWorld) => Promise<void>;
  /** Text of the first screen when it shows all data that the journey needs. */
  readonly begins: string | RegExp;
  readonly steps: readonly JourneyStep[];
  /** Returns the difference from the expected effect, or undefined if the effect is as expected. */
  readonly fault: (world: JourneyWorld) => Promise<string | undefined>;
}

export const MOST_KEYS = 12;

const PAPERS = (folder: string) =>
  `jobs:\n  - {name: papers, folder: ${join(folder, 'Papers')}, bucket: papers}\n`;

function write(folder: string, path: string, content: string | Buffer): void {
  const file = join(folder, 'Papers', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const read = (folder: string, path: string) => readFileSync(join(folder, 'Papers', path), 'utf8');

const NAMES = Array.from({ length: 20 }, (_, index) => `note-${String(index + 10)}.md`);
const MEGABYTE = 1_000_000;

export const DASHBOARD_JOURNEYS: readonly DashboardJourney[] = [
  {
    title: 'find what grew',
    config: PAPERS,
    startsBeforeMs: 60 * DAY_MS,
    prepare: async ({ folder, clock, cli }) => {
      write(folder, 'videos/old.mp4', Buffer.alloc(4 * MEGABYTE, 'v'));
      write(folder, 'letters/ann.txt', 'dear ann');
      await cli('wait', 'papers');
      clock.jump(60 * DAY_MS);
      write(folder, 'scans/2026/new.tif', Buffer.alloc(2 * MEGABYTE, 's'));
      await cli('wait', 'papers');
    },
    begins: /papers .*watching/,
    steps: [
      { keys: '2', shows: /NAME +TARGET[^]*papers +local/ },
      { keys: 'z', shows: /[❯▌] ?videos\/ +4 MB/ },
      { keys: 'o 2', shows: 'by growth in a week' },
      { keys: 'g g enter', shows: /papers › scans\/[^]*2026\/ +2 MB/ },
    ],
    fault: async ({ cli }) => {
      const listed = await cli('s3', 'ls', 'papers/scans/', '--recursive');
      return listed.includes('new.tif') ? undefined : `the store lists ${listed}`;
    },
  },
  {
    title: "restore yesterday's folder",
    config: PAPERS,
    startsBeforeMs: DAY_MS + HOUR_MS,
    prepare: async ({ folder, clock, cli }) => {
      write(folder, 'contract.txt', 'We agree.\n');
      write(folder, 'old/plan.txt', 'the plan\n');
      for (const name of NAMES) write(folder, name, 'same\n');
      await cli('wait', 'papers');
      clock.jump(DAY_MS + HOUR_MS);
      write(folder, 'contract.txt', 'We do not agree.\n');
      rmSync(join(folder, 'Papers/old/plan.txt'));
      await cli('wait', 'papers');
    },
    begins: /papers .*watching/,
    steps: [
      { keys: 't', shows: 'as it is now' },
      { keys: '{', shows: /~ 1 changed {3}- 1 deleted/ },
      { keys: 'F right', shows: '< in place >' },
      { keys: 'ctrl-s', shows: /2 files, 19 B/ },
      { keys: 'R', shows: 'Restore?' },
      { keys: 'y', shows: 'no problems' },
    ],
    fault: async ({ folder, cli }) => {
      await cli('wait', 'papers');
      const texts = [
        read(folder, 'contract.txt'),
        await cli('s3', 'get', 'papers/contract.txt', '-'),
      ];
      const plan = [
        read(folder, 'old/plan.txt'),
        await cli('s3', 'get', 'papers/old/plan.txt', '-'),
      ];
      const isRight =
        texts.every((text) => text === 'We agree.\n') &&
        plan.every((text) => text === 'the plan\n');
      return isRight ? undefined : `folder and store have ${JSON.stringify([texts, plan])}`;
    },
  },
  {
    title: 'resolve 20 conflicts at once',
    config: PAPERS,
    prepare: async ({ folder, cli }) => {
      for (const name of NAMES) write(folder, name, 'both\n');
      await cli('wait', 'papers');
      await cli('job', 'pause', 'papers');
      const theirs = join(folder, 'theirs.md');
      writeFileSync(theirs, 'theirs\n');
      for (const name of NAMES) {
        await cli('s3', 'put', theirs, `papers/${name}`);
        write(folder, name, 'ours, which is longer\n');
      }
      await cli('job', 'resume', 'papers');
    },
    begins: /20 conflicts/,
    steps: [
      { keys: '4', shows: /1 of 20/ },
      { keys: '* B', shows: /Keep the bucket/ },
      { keys: 'y', shows: 'no conflict' },
    ],
    fault: async ({ folder, cli }) => {
      await cli('wait', 'papers');
      const wrong = NAMES.filter((name) => read(folder, name) !== 'theirs\n');
      const stored = await Promise.all(
        NAMES.map((name) => cli('s3', 'get', `papers/${name}`, '-')),
      );
      if (wrong.length > 0) return `${wrong.length} files are not the bucket's`;
      return stored.every((text) => text === 'theirs\n') ? undefined : 'the store has other texts';
    },
  },
  {
    title: "lock a year's photos",
    prepare: async ({ folder, cli }) => {
      await cli('s3', 'mb', 'photos', '--object-lock');
      const photo = join(folder, 'photo.jpg');
      writeFileSync(photo, 'a photo');
      for (const key of ['2024/12/a.jpg', '2025/01/b.jpg', '2025/06/c.jpg', '2025/06/d.jpg'])
        await cli('s3', 'put', photo, `photos/${key}`);
    },
    begins: 'running',
    steps: [
      { keys: '2', shows: /NAME +TARGET[^]*photos +local/ },
      { keys: 'enter', shows: /[❯▌] ?2024\// },
      { keys: 'j L', shows: /Lock[^]*3 versions/ },
      { keys: '1 y ctrl-s', shows: 'Lock 3 objects?' },
      { keys: 'y', shows: 'locked 3 objects' },
    ],
    fault: async ({ clock, cli }) => {
      const days = async (key: string) => {
        const output = await cli('lock', 'retention', 'get', `photos/${key}`, '--json');
        const at = /"retainUntil":"([^"]+)"/.exec(output)?.[1];
        return at === undefined ? 0 : Math.round((Date.parse(at) - clock.now()) / DAY_MS);
      };
      const locked = await Promise.all(
        ['2024/12/a.jpg', '2025/01/b.jpg', '2025/06/c.jpg', '2025/06/d.jpg'].map(days),
      );
      const isRight =
        locked[0] === 0 && locked.slice(1).every((each) => each === 365 || each === 366);
      return isRight ? undefined : `days of the locks: ${locked.join(', ')}`;
    },
  },
  {
    title: 'see why a job is late',
    config: PAPERS,
    prepare: async ({ folder, cli }) => {
      write(folder, 'contract.txt', 'We agree.\n');
      await cli('wait', 'papers');
      await cli('job', 'pause', 'papers');
      write(folder, 'late.txt', 'late\n');
    },
    begins: /papers .*paused/,
    steps: [
      { keys: 'w', shows: /Why is papers paused\?/ },
      { keys: 'esc p', shows: /papers .*watching/ },
    ],
    fault: async ({ cli }) => {
      await cli('wait', 'papers');
      const stored = await cli('s3', 'get', 'papers/late.txt', '-');
      return stored === 'late\n' ? undefined : `the store has ${stored}`;
    },
  },
];

/** Returns the number of key presses of a journey. */
export function keysOf({ steps }: DashboardJourney): number {
  return steps.reduce((sum, { keys }) => sum + keys.split(' ').length, 0);
}
