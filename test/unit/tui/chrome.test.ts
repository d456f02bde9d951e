/** Tests of the parts around every screen: messages, the footer with its keys, and the help. */

import { describe, expect, test } from 'vitest';

import { readKeymap } from '../../../tui/input/keymap.ts';
import { startJobs } from '../../helpers/tui/jobs-screen.ts';
import { startWithOneJob } from '../../helpers/tui/one-job.ts';
import { seededJob } from '../../helpers/tui/seeds.ts';
import { drawFirstFrame } from '../../../tui/app/frame.ts';
import { widthOf } from '../../../tui/text/width.ts';

test('the dashboard draws the first frame in full size with the tabs before any screen is loaded', async () => {
  const { screen } = await startWithOneJob();
  const { lines } = drawFirstFrame(screen.ui, 80, 24);
  expect(lines).toHaveLength(24);
  expect(lines.map(widthOf)).toEqual(lines.map(() => 80));
  expect(lines[1]).toContain('[1 Dash]');
  expect(drawFirstFrame(screen.ui, 40, 10).lines.join('')).toContain('too small: 40x10');
});

test.each([60, 70, 80])(
  'the dashboard shows the tabs of all screens in full at %i columns',
  async (columns) => {
    const { screen, daemon } = await startWithOneJob({ columns, rows: 16 });
    const counts = { ...seededJob().counts, conflicts: 12 };
    daemon.emit({ type: 'job.changed', job: seededJob({ counts }) });
    await screen.press('8');
    const [, tabs = ''] = (await screen.tickUntil('(12)')).split('\n');
    expect(tabs).toMatch(/1 Dash 2 B\w+ 3 Jobs 4 Conf\w*\(12\) .*\[8 (Activity|Log)\]$/);
  },
);

describe('length of messages', () => {
  test('the dashboard shows a message in full if it fits in three lines and truncates it otherwise', async () => {
    const { screen } = await startWithOneJob();
    screen.ui.warn(`start daemon: ${'the port is in use, '.repeat(5)}choose another one`);
    expect(await screen.waitFor('choose another one')).not.toContain('…');
    screen.ui.warn('and so on '.repeat(60));
    expect(
      (await screen.waitFor('…')).split('\n').filter((line) => line.includes('so on')),
    ).toHaveLength(3);
  });

  test('the dashboard wraps a message with an undo instead of truncating it', async () => {
    const { screen } = await startWithOneJob({ columns: 60, rows: 16 });
    const text = 'deleted IMG_0001.jpg: added a delete marker, 1 version remains';
    screen.ui.notifyUndoable(text, async () => undefined);
    const shown = await screen.waitFor('u undo');
    expect(shown.replaceAll(/\s+/g, ' ')).toContain(`${text} u undo`);
  });
});

describe('position of messages on the screen', () => {
  test.each([
    [60, 16],
    [80, 24],
    [120, 40],
  ])(
    'a message covers the last lines above the footer and does not move other lines at %i×%i',
    async (columns, rows) => {
      const { screen } = await startJobs({ columns, rows, until: 'photos' });
      for (const tab of ['1', '2', '3', '4', '6', '7', '8']) {
        await screen.press(tab);
        const before = screen.text().split('\n');
        screen.ui.notifyUndoable('paused photos', async () => undefined);
        screen.ui.warn('a reason');
        await screen.waitFor('a reason');
        const during = screen.text().split('\n');
        const changed = during.flatMap((line, row) => (line === before[row] ? [] : [row]));
        expect(changed).toEqual([rows - 3, rows - 2]);
        await screen.tick(40_000);
      }
    },
  );

  test('a message and the position in the list share a line if both fit', async () => {
    const { screen, daemon } = await startWithOneJob({ columns: 60, rows: 16 });
    const put = { type: 'activity', job: 'photos', level: 'info', action: 'put' } as const;
    for (const message of ['a.jpg', 'b.jpg']) daemon.emit({ ...put, message });
    await screen.press('8');
    await screen.tickUntil('2 of 2');
    screen.ui.notifyUndoable('paused photos', async () => undefined);
    const text = await screen.waitFor('paused photos');
    expect(text).toMatch(/\n paused photos {3}u undo ─+ 2 of 2 ─╯\n/);
    screen.ui.warn('a reason '.repeat(6).trim());
    expect(await screen.waitFor('a reason')).not.toContain('2 of 2');
  });

  test('a message is visible below a dialog of full height', async () => {
    const { screen } = await startWithOneJob({ columns: 60, rows: 16 });
    await screen.press('?');
    await screen.waitFor('Help: dashboard');
    screen.ui.notifyError(new Error('a reason '.repeat(20)));
    const lines = (await screen.waitFor('! a reason')).split('\n');
    const end = lines.findIndex((line) => /╰─.*Esc/.test(line));
    expect(end).toBeGreaterThan(0);
    expect(lines.findIndex((line) => line.includes('! a reason'))).toBeGreaterThan(end);
    expect(lines.at(-2)).toContain('…');
  });
});

describe('messages about unavailable keys', () => {
  test('the dashboard shows only the reason in the message about an unavailable key, until the message expires', async () => {
    const { screen } = await startWithOneJob();
    await screen.press('z');
    await screen.waitFor('* z is not available: no changes are held for review');
    await screen.tick(6_000);
    expect(screen.text()).not.toContain('not available');
  });

  test.each([
    ['the next command', 'j'],
    ['another screen', '2'],
  ])('the dashboard removes the message about an unavailable key after %s', async (_what, key) => {
    const { screen } = await startWithOneJob();
    await screen.press('z');
    await screen.waitFor('no changes are held for review');
    await screen.press(key);
    expect(screen.text()).not.toContain('no changes are held for review');
  });

  test('the dashboard removes a message about one screen when the user opens another', async () => {
    const { screen } = await startWithOneJob();
    screen.ui.warn('a note about this screen');
    await screen.waitFor('a note about this screen');
    await screen.press('enter');
    expect(await screen.waitFor('jobs › photos')).not.toContain('a note');
  });
});

describe('the footer of the screen', () => {
  test('the footer shows "q back" on a screen that was opened from another one, and otherwise "q quit"', async () => {
    const { screen } = await startWithOneJob();
    await screen.press('3');
    await screen.waitFor('q quit');
    await screen.press('enter');
    await screen.waitFor('q back');
    await screen.press('q');
    await screen.waitFor('q quit');
  });

  test('the dashboard shows the available keys in the footer, and the help key even if space is short', async () => {
    const { screen, daemon } = await startWithOneJob();
    const footer = () => screen.text().split('\n').at(-1);
    await screen.press('3');
    expect(footer()).toContain('p pause');
    expect(footer()).not.toContain('a review');
    const { counts } = seededJob();
    daemon.emit({
      type: 'job.changed',
      job: seededJob({ state: 'held', counts: { ...counts, held: 3 } }),
    });
    await screen.tickUntil('a review');
    await screen.resize(60, 24);
    expect(footer()).toContain('? help');
    daemon.emit({ type: 'job.removed', name: 'photos' });
    const text = await screen.tickUntil('no jobs; press n');
    expect(text).not.toContain('p pause');
    expect(text).not.toContain('0 of 0');
    expect(footer()).toContain('n new');
  });

  test('the dashboard offers to resume a paused job in the footer', async () => {
    const { screen, daemon } = await startWithOneJob();
    daemon.emit({ type: 'job.changed', job: seededJob({ state: 'paused' }) });
    expect(await screen.tickUntil('p resume')).not.toContain('p pause');
  });

  test('the dashboard shows the keys that the user configured in the footer and the help, and accepts only these', async () => {
    const { screen } = await startWithOneJob();
    screen.ui.keymap = readKeymap({ 'app.help': '!', 'job.why': 'Q' });
    screen.ui.changes.now();
    await screen.waitFor('! help');
    await screen.press('? !');
    expect(await screen.waitFor('Help: dashboard')).toMatch(/Q +explain the job's state/);
    await screen.press('esc Q');
    await screen.waitFor('Why is photos');
  });

  test.each([
    ['of an empty list', '8', 'no activity yet'],
    ['of the greeting', '1', 'Welcome to Holdfast'],
    ['of the charts', 'c', 'charts ›'],
  ])(
    'the dashboard shows in the footer %s only keys that have an effect there',
    async (_what, keys, until) => {
      const { screen, daemon } = await startWithOneJob();
      if (until.startsWith('Welcome')) daemon.emit({ type: 'job.removed', name: 'photos' });
      await screen.press(keys);
      const footer = (await screen.tickUntil(until)).split('\n').at(-1);
      expect(footer).toContain('? help');
      expect(footer).not.toMatch(/move|filter|open/);
    },
  );

  test('the dashboard hides the keys of the screen in the footer while a dialog is open', async () => {
    const { screen } = await startWithOneJob();
    await screen.press('?');
    await screen.waitFor('Help: dashboard');
    expect(screen.text().split('\n').at(-1)).toBe('');
    await screen.press('esc');
    await screen.waitFor('? help');
  });
});

describe('the help of a screen', () => {
  test('the dashboard shows each text of the help in full, and the scroll position', async () => {
    const { screen } = await startWithOneJob();
    await screen.press('3 ?');
    const text = await screen.waitFor('Help: jobs');
    expect(text).toMatch(/─ 1 of \d+ {2}Enter run/);
    expect(text).not.toContain('…');
    await screen.press('G');
    expect(await screen.waitFor(/─ (\d+) of \1 /)).toContain('Enter run');
  });

  test.each([60, 80])(
    'the dashboard counts commands, not lines, in the help, and shows all their keys at %i columns',
    async (columns) => {
      const { screen } = await startWithOneJob({ columns, rows: 24 });
      await screen.press('?');
      const [, count] = /1 of (\d+) /.exec(await screen.waitFor('Help: dashboard')) ?? [];
      expect(Number(count)).toBe(screen.controller.commands().length);
      await screen.press('G');
      const text = await screen.waitFor('suspend to the shell');
      expect(text).toMatch(/ Esc h Left[^]{0,90} Backspace/);
    },
  );

  test('the dashboard omits undo from the help if there is nothing to undo and the screen uses the key', async () => {
    const { screen } = await startWithOneJob({ rows: 60 });
    screen.ui.keymap = readKeymap({ 'job.why': 'u' });
    await screen.press('?');
    expect(await screen.waitFor('Help: dashboard')).not.toContain('nothing to undo');
  });

  test('the dashboard runs the selected command after Enter in the help', async () => {
    const { screen } = await startWithOneJob();
    await screen.press('? /');
    await screen.type('activity');
    await screen.waitFor('nothing matches');
    await screen.press('ctrl-u');
    await screen.type('settings');
    await screen.waitFor(/❯ e +edit its settings/);
    await screen.press('ctrl-u');
    await screen.type('new job');
    await screen.press('enter');
    expect(await screen.waitFor('targets.list')).not.toContain('Help');
  });
});

describe('the command palette', () => {
  test('the dashboard keeps the selected offer of the palette visible on a low terminal', async () => {
    const { screen } = await startWithOneJob({ columns: 60, rows: 16 });
    await screen.type(':');
    expect(await screen.waitFor('Command')).toMatch(/─ 1 of 12 {2}Enter run/);
    await screen.press('down '.repeat(11).trim());
    expect(await screen.waitFor('12 of 12')).toMatch(/│ ❯ restore JOB/);
  });
});

describe('mouse input', () => {
  test('the dashboard opens the screen of a tab after a click on the tab', async () => {
    const { screen } = await startWithOneJob();
    await screen.click('8 Activity');
    await screen.waitFor('[8 Activity]');
  });

  test('the dashboard selects a row after a click and opens it after a second click', async () => {
    const { screen } = await startJobs();
    await screen.click('home ');
    await screen.waitFor(/❯ home/);
    await screen.click('home ');
    await screen.waitFor('jobs › home');
  });

  test('the dashboard selects another pane after a click on a row in the pane', async () => {
    const { screen } = await startJobs();
    await screen.press('1');
    await screen.waitFor('Recent activity');
    await screen.click('logs  ');
    await screen.press('enter');
    await screen.waitFor('jobs › logs');
  });

  test('the dashboard runs the command of a key after a click on the key in the footer', async () => {
    const { screen } = await startJobs();
    await screen.click('n new');
    await screen.waitFor('New job');
  });

  test('the dashboard moves in a list with the mouse wheel', async () => {
    const { screen } = await startJobs();
    await screen.mouse(65);
    await screen.waitFor('4 of 4');
    await screen.mouse(64);
    await screen.waitFor('1 of 4');
  });

  test('the dashboard answers a question after a click on a button but not after a click beside it', async () => {
    const { screen } = await startWithOneJob();
    const answers: boolean[] = [];
    const ask = () =>
      void screen.ui.ask({ title: 'Sure?', facts: ['it goes'] }).then((yes) => answers.push(yes));
    ask();
    await screen.tick(400);
    await screen.click('it goes');
    expect(answers).toEqual([]);
    await screen.click(' Yes ');
    await screen.click('Yes');
    await screen.settle();
    expect(answers).toEqual([true]);
  });

  test('the dashboard moves to a form field after a click on the field', async () => {
    const { screen } = await startJobs();
    await screen.press('n');
    await screen.waitFor('New job');
    await screen.click('exclude');
    await screen.waitFor(/❯ exclude/);
  });
});
