/**
 * Tests of the preview pane, which shows the content of the selected object, version, conflict or
 * job.
 */

import { expect, onTestFinished, test } from 'vitest';

import { seededStore } from '../../helpers/tui/bucket-seeds.ts';
import { seededConflict, SeededConflicts } from '../../helpers/tui/conflict-seeds.ts';
import { jobAnswers, jobsStatus } from '../../helpers/tui/job-seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import type { Answers } from '../../helpers/tui/seeded-daemon.ts';
import { NOW } from '../../helpers/tui/seeds.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import type { ScreenOptions } from '../../helpers/tui/screen.ts';

type Store = ReturnType<typeof seededStore>;

const FOLDER = 'archive/2026/07/';
const CODE = '// Adds two numbers.\nexport const add = (a: number) => a + 2;\n';

/** A folder with a source file, a binary file and an image. */
function filledStore(): Store {
  const store = seededStore();
  const put = (name: string, body: string) => store.put('archive', `2026/07/${name}`, body);
  put('add.ts', CODE);
  put('add.zip', 'PK\u{3}\u{4}\0\0');
  put('b.png', 'GIF89a\u{20}\u{03}\u{58}\u{02}\0\0\0;');
  return store;
}

interface Start extends Omit<ScreenOptions, 'connect'> {
  readonly store?: Store;
  readonly answers?: Answers;
}

async function start({ store = filledStore(), answers, ...options }: Start = {}) {
  const daemon = new SeededDaemon({ ...store.answers(), ...answers });
  store.daemon = daemon;
  const size = { columns: 120, rows: 40 };
  const screen = await new TestScreen({ ...size, ...options, connect: daemon.connect }).start();
  onTestFinished(() => screen.close());
  const reads = () => daemon.asked.filter(({ method }) => method === 'objects.get');
  return { daemon, screen, reads };
}

async function startInFolder(options?: Start) {
  const started = await start(options);
  await started.screen.press(':');
  await started.screen.type(`bucket ${FOLDER}`);
  await started.screen.press('enter');
  await started.screen.tickUntil('contract.pdf');
  return started;
}

/** Moves the cursor down to the row with the given name. */
async function moveTo(screen: TestScreen, name: string): Promise<void> {
  for (let rows = 0; rows < 12 && !screen.text().includes(`❯ ${name}`); rows += 1) {
    await screen.press('j');
  }
  await screen.waitFor(`❯ ${name}`);
}

/** Advances the clock past all delays before a preview is read. */
async function rest(screen: TestScreen): Promise<void> {
  for (let tick = 0; tick < 6; tick += 1) await screen.tick();
}

test.each([
  [80, 24],
  [120, 40],
  [200, 60],
])('the dashboard shows the text of the selected object at %i×%i', async (columns, rows) => {
  const { screen, reads } = await startInFolder({ columns, rows });
  await moveTo(screen, 'add.ts');
  await rest(screen);
  await expect(screen.text()).toMatchFileSnapshot(`snapshots/preview-pane-${columns}x${rows}.txt`);
  expect(reads().some(({ params }) => JSON.stringify(params).includes('add.ts'))).toBe(true);
});

test('the dashboard shows the text of the selected object first and highlights it afterwards', async () => {
  const { screen } = await startInFolder({ theme: 'dark' });
  for (let rows = 0; rows < 4 && !/▌ *add\.ts/.test(screen.text()); rows += 1) {
    await screen.press('j');
  }
  await screen.tickUntil('// Adds');
  const colourOf = (text: string) => {
    const row = screen.cells().find((cells) =>
      cells
        .map((cell) => cell.text)
        .join('')
        .includes(text),
    );
    const at =
      row
        ?.map((cell) => cell.text)
        .join('')
        .indexOf(text) ?? 0;
    return row?.[at]?.foreground;
  };
  await expect
    .poll(
      async () => {
        await screen.tick(10);
        return colourOf('export');
      },
      { timeout: 10_000 },
    )
    .toEqual({ rgb: 0x6c_c7_f5 });
  expect(colourOf('// Adds')).toEqual({ rgb: 0x90_98_a9 });
});

test('the dashboard reads at most 32 KiB of a large object for a preview', async () => {
  const store = filledStore();
  store.put('archive', '2026/07/add.log', 'line\n'.repeat(20_000));
  const { screen, reads } = await startInFolder({ store });
  await moveTo(screen, 'add.log');
  await rest(screen);
  const key = '2026/07/add.log';
  expect(reads().at(-1)?.params).toMatchObject({ key, range: { start: 0, end: 32_767 } });
});

test('the dashboard reads no preview for rows that the cursor only passes, and reads each preview once', async () => {
  const { screen, reads } = await startInFolder();
  const { list } = screen.ui.router.top;
  const keys = () => reads().map(({ params }) => (params as { readonly key: string }).key);
  await moveTo(screen, 'add.ts');
  await rest(screen);
  const before = keys();
  list?.moveBy(1);
  await screen.settle();
  list?.moveBy(-1);
  await rest(screen);
  expect(keys()).toEqual(before);
  expect(before).not.toContain('2026/07/add.zip');
});

test('the dashboard cancels a preview that is still loading when the cursor moves on', async () => {
  const { screen, daemon } = await startInFolder();
  const late = Promise.withResolvers<never>();
  daemon.replace('objects.get', () => late.promise);
  await moveTo(screen, 'add.ts');
  await rest(screen);
  await moveTo(screen, 'add.zip');
  late.reject(new Error('the service is busy'));
  await rest(screen);
  screen.ui.router.top.list?.moveBy(-1);
  await screen.settle();
  expect(screen.text()).not.toContain('the service is busy');
});

test.each([
  ['add.zip', 'binary, 6 B; press p for the bytes'],
  ['b.png', 'picture: GIF 800x600'],
])('the dashboard describes the content of %s as: %s', async (name, said) => {
  const { screen } = await startInFolder();
  await moveTo(screen, name);
  expect(await screen.tickUntil(said)).toContain('Preview');
});

test('the dashboard does not read an object that is encrypted with a customer key', async () => {
  const store = filledStore();
  const { screen, daemon, reads } = await start({ store });
  const described = store.answers()['objects.describe'];
  daemon.replace('objects.describe', async (params) => {
    if (!described) throw new Error('the store describes no objects');
    return { ...(await described(params)), encrypted: true };
  });
  await screen.press(':');
  await screen.type(`bucket ${FOLDER}`);
  await screen.press('enter');
  await screen.tickUntil('contract.pdf');
  await screen.press('j');
  await screen.tickUntil('encrypted with a customer key');
  await rest(screen);
  expect(reads()).toEqual([]);
});

test('the dashboard shows why a preview failed, and reads it again after a refresh', async () => {
  const { screen, daemon, reads } = await startInFolder();
  daemon.replace('objects.get', () => Promise.reject(new Error('the service is busy')));
  await moveTo(screen, 'add.ts');
  await screen.tickUntil('the service is busy');
  const failed = reads().length;
  await screen.press('r');
  await rest(screen);
  expect(reads().length).toBeGreaterThan(failed);
});

test('the dashboard starts no request while a screen is drawn again', async () => {
  const { screen, daemon } = await startInFolder();
  await moveTo(screen, 'add.ts');
  await rest(screen);
  const asked = daemon.asked.length;
  for (let count = 0; count < 20; count += 1) {
    screen.ui.router.top.draw({ columns: 120, rows: 37 }, screen.ui.look);
  }
  await screen.settle();
  expect(daemon.asked).toHaveLength(asked);
});

test("the dashboard shows bars for the share of each object and folder in the current folder's size", async () => {
  const { screen } = await startInFolder({ columns: 80, rows: 24 });
  await screen.tickUntil('SHARE');
  expect(screen.text()).toMatch(/IMG_0001\.jpg +4\.1 kB +█████▉\s/);
  expect(screen.text()).toMatch(/thumbs\/ +10 B +▏░░░░░\s/);
});

test.each([
  [80, 24],
  [120, 40],
  [200, 60],
])(
  'the dashboard shows the difference of the selected version to the previous version at %i×%i',
  async (columns, rows) => {
    const { screen } = await startInFolder({ columns, rows });
    await moveTo(screen, 'contract.pdf');
    await screen.press('v');
    await screen.waitFor('Selected version');
    await rest(screen);
    await expect(screen.text()).toMatchFileSnapshot(
      `snapshots/version-pane-${columns}x${rows}.txt`,
    );
  },
);

test('the dashboard shows the text of a first version, and for a binary version its sizes and the first difference', async () => {
  const store = filledStore();
  store.put('archive', '2026/07/add.zip', 'PK\u{3}\u{4}\0\u{1}more');
  const { screen } = await startInFolder({ store });
  await moveTo(screen, 'add.zip');
  await screen.press('v');
  await screen.tickUntil('not text; the first difference');
  await screen.press('G');
  expect(await screen.tickUntil('binary, 6 B')).toContain('Preview');
});

test.each([
  [80, 24],
  [120, 40],
  [200, 60],
])(
  'the dashboard shows both sides of the selected conflict at %i×%i, and their difference if there is space',
  async (columns, rows) => {
    const conflicts = new SeededConflicts({ media: [seededConflict()] });
    const answers = conflicts.answers();
    const { screen, daemon } = await start({ columns, rows, answers });
    const sides = answers['conflicts.sides'];
    daemon.replace('conflicts.sides', async (params) => {
      if (!sides) throw new Error('the seeds have no sides');
      const given = await sides(params);
      if (params.previewBytes === undefined) return given;
      const { local, remote } = given;
      return {
        ...given,
        local: { ...local, sizeBytes: 26, stream: daemon.offer('# Report\n\nSales: 12\nDone.\n') },
        remote: {
          ...remote,
          sizeBytes: 26,
          stream: daemon.offer('# Report\n\nSales: 14\nDone.\n'),
        },
      };
    });
    await screen.press('4');
    await screen.tickUntil('report.md');
    await rest(screen);
    await expect(screen.text()).toMatchFileSnapshot(
      `snapshots/conflict-pane-${columns}x${rows}.txt`,
    );
  },
);

test.each([
  [80, 24],
  [120, 40],
  [200, 60],
])(
  'the dashboard shows the latest sync rounds of the selected job at %i×%i',
  async (columns, rows) => {
    const round = {
      kind: 'full' as const,
      rounds: 1,
      actions: 0,
      versions: 0,
      bytes: 0,
      deletes: 0,
    };
    const at = (number: number) => ({
      number,
      startedAt: NOW - number * 60_000,
      endedAt: NOW - number * 60_000 + 4_000,
    });
    const rounds = [
      {
        ...round,
        ...at(1),
        kind: 'event' as const,
        actions: 14,
        versions: 12,
        bytes: 3_100_000,
        deletes: 2,
      },
      { ...round, ...at(2) },
      { ...round, ...at(3), kind: 'listing' as const, actions: 3 },
    ];
    const answers = {
      ...jobAnswers,
      status: () => jobsStatus(),
      'jobs.history': () => ({ rounds }),
    };
    const { screen, daemon } = await start({ columns, rows, answers });
    await screen.press('3');
    await screen.tickUntil('photos');
    await rest(screen);
    await expect(screen.text()).toMatchFileSnapshot(`snapshots/job-pane-${columns}x${rows}.txt`);
    expect(daemon.lastOf('jobs.history')?.limit).toBeGreaterThan(0);
  },
);

test('the dashboard offers a key for the preview at 60×16, and reads it after a resize to a size with a preview pane', async () => {
  const { screen, reads } = await startInFolder({ columns: 60, rows: 16 });
  await moveTo(screen, 'add.ts');
  await rest(screen);
  expect(reads()).toEqual([]);
  expect(screen.text()).toContain('p preview');
  await screen.resize(120, 40);
  await screen.tickUntil('// Adds two numbers.');
});
