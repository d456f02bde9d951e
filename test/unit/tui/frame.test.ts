/**
 * Tests of the frame around every screen: keys, filter, palette, questions, messages, terminal
 * sizes, and an unavailable daemon.
 */

import { describe, expect, onTestFinished, test } from 'vitest';

import { startWithOneJob } from '../../helpers/tui/one-job.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import { makeLook } from '../../../tui/theme/look.ts';
import { seededJob, seededStatus } from '../../helpers/tui/seeds.ts';

/** Opens the activity screen with `count` lines. */
async function startWithActivity(count: number) {
  const { daemon, screen } = await startWithOneJob();
  await screen.press('8');
  for (let each = 0; each < count; each += 1) {
    const level = each % 10 === 3 ? 'error' : 'info';
    const activity = { type: 'activity', job: 'photos', level, action: 'put' } as const;
    daemon.emit({ ...activity, message: `put ${each}.jpg` }, 1_000 * each);
  }
  await screen.tick();
  return { daemon, screen };
}

describe('keyboard input', () => {
  test('the dashboard runs all commands of several keys that arrive in one chunk', async () => {
    const { screen } = await startWithActivity(30);
    await screen.type('ggjjjj');
    expect(await screen.waitFor('5 of 30')).toContain('❯');
  });

  test('the dashboard moves by the number of rows typed before a movement key', async () => {
    const { screen } = await startWithActivity(30);
    await screen.type('gg');
    await screen.type('10j');
    await screen.waitFor('11 of 30');
    await screen.type('4k');
    await screen.waitFor('7 of 30');
    await screen.type('20G');
    await screen.waitFor('20 of 30');
  });

  test('the dashboard selects a screen after a single digit, but not after a count', async () => {
    const { screen } = await startWithActivity(30);
    await screen.type('5j');
    expect(screen.ui.router.tab).toBe('activity');
    await screen.press('5');
    expect(screen.ui.router.tab).toBe('nodes');
  });

  test('the dashboard selects another screen even after the user typed the digit of the current screen', async () => {
    const { screen } = await startWithActivity(30);
    await screen.press('8 5');
    expect(screen.ui.router.tab).toBe('nodes');
  });

  test('the dashboard reads Esc and a key that follows at once as two keys', async () => {
    const { screen } = await startWithActivity(30);
    await screen.press('?');
    await screen.waitFor('Help: activity');
    await screen.type('\u{1b}k');
    expect(await screen.waitFor('29 of 30')).not.toContain('Help');
  });

  test('the dashboard does not run pasted text as commands', async () => {
    const { screen } = await startWithActivity(3);
    await screen.paste('q8:quit\r');
    await screen.waitFor('pasted text is ignored here');
    expect(screen.hasQuit).toBe(false);
  });

  test('the dashboard clears the filter at the first Esc and the marks at the second', async () => {
    const { screen } = await startWithActivity(30);
    await screen.press('/ 9 enter space');
    expect(await screen.waitFor('1 marked')).toContain('/9');
    await screen.press('esc');
    expect(await screen.waitFor('of 30')).toContain('1 marked');
    await screen.press('esc');
    expect(screen.text()).not.toContain('marked');
  });

  test('the dashboard quits after three Ctrl-C in any state', async () => {
    const { screen } = await startWithOneJob();
    await screen.press(':');
    await screen.type('\u{3}');
    await screen.type('\u{3}');
    expect(screen.hasQuit).toBe(false);
    await screen.type('\u{3}');
    expect(screen.hasQuit).toBe(true);
  });
});

describe('the row filter', () => {
  test.each([
    ['3.jpg', '3'],
    ['!.jpg', '0'],
    ['re:put [12]\\.', '2'],
    ['PUT', '0'],
  ])('the dashboard applies the filter %s and shows %s of 30 rows', async (filter, count) => {
    const { screen } = await startWithActivity(30);
    await screen.press('/');
    await screen.type(filter);
    await screen.type('\r');
    await screen.waitFor(`of ${count}`);
  });

  test('the dashboard starts a new filter empty, recalls the previous one with Up and restores it with Esc', async () => {
    const { screen } = await startWithActivity(30);
    await screen.type('/29.jpg\r');
    await screen.waitFor('1 of 1   /29.jpg');
    await screen.type('/');
    await screen.waitFor('of 30');
    await screen.type('3.jpg');
    await screen.waitFor('of 3');
    await screen.press('esc');
    await screen.waitFor('1 of 1   /29.jpg');
    await screen.type('/');
    await screen.press('up backspace backspace backspace backspace backspace enter');
    await screen.waitFor(/of 1\d   \/2/);
  });

  test('the dashboard reports an invalid regular expression in the filter', async () => {
    const { screen } = await startWithActivity(3);
    await screen.press('/');
    await screen.type('re:(\r');
    await screen.waitFor('this is not a valid regular expression');
  });
});

describe('the command palette', () => {
  test('the dashboard completes the name of a screen in the command palette with Tab and opens the screen', async () => {
    const { screen } = await startWithOneJob();
    await screen.type(':acti');
    await screen.waitFor('the activity screen');
    await screen.type('\t\r');
    expect(screen.ui.router.tab).toBe('activity');
  });

  test('the dashboard runs a palette command that arrives in one chunk with Enter', async () => {
    const { screen } = await startWithOneJob();
    await screen.type(':theme light\r');
    expect(screen.ui.look.paint('bad', 'x')).toBe(makeLook('light').paint('bad', 'x'));
  });

  test('the dashboard adds its home folder to the commands in the messages of the daemon', async () => {
    const { screen, daemon } = await startWithOneJob({
      outside: { homeOption: ' --home /srv/hf' },
    });
    daemon.replace('jobs.pause', () => {
      throw new ControlError('NotFound', 'unknown job "photos"', {
        hint: 'to list the jobs: holdfast job list',
      });
    });
    await screen.press('p');
    expect(await screen.waitFor('unknown job')).toContain('holdfast --home /srv/hf job list');
  });

  test('the dashboard turns the mouse wheel on and off with the palette command "mouse"', async () => {
    const set: boolean[] = [];
    const { screen } = await startWithOneJob({ outside: { setMouse: (on) => void set.push(on) } });
    await screen.type(':mouse on\r:mouse off\r:mouse maybe\r');
    expect(set).toEqual([true, false]);
    await screen.waitFor('set mouse: use on or off');
  });

  test('the dashboard reports an unknown command in the command palette', async () => {
    const { screen } = await startWithOneJob();
    await screen.type(':xyzzy\r');
    expect(await screen.waitFor('nothing matches "xyzzy"')).toContain('  nothing matches ');
  });

  test.each([
    ['mou on', 'mouse on'],
    ['pause', 'p       pause at once, or resume'],
    ['R', 'R       run a full round now'],
    ['phot', 'job photos'],
    ['bkt', 'buckets'],
    ['mono', 'theme mono'],
  ])('the first offer of the dashboard for the palette input %j is %j', async (typed, offered) => {
    const { screen } = await startWithOneJob();
    await screen.type(`:${typed}`);
    const [, first = ''] = /:.*\n.*?❯ +(.*?) *│/.exec(await screen.waitFor('❯')) ?? [];
    expect(first.replaceAll(/ {2,}/g, '  ')).toContain(offered.replaceAll(/ {2,}/g, '  '));
  });

  test('the dashboard recalls earlier palette commands with Up and returns to later ones with Down', async () => {
    const { screen } = await startWithOneJob();
    await screen.type(':theme light\r');
    await screen.waitFor('the theme is light');
    await screen.type(':theme mono\r');
    await screen.waitFor('the theme is mono');
    await screen.press(': up up');
    await screen.waitFor(':theme light');
    await screen.press('down');
    await screen.waitFor(':theme mono');
    await screen.press('down down');
    await screen.waitFor(/❯ +buckets/);
  });
});

describe('questions before actions', () => {
  const question = { title: 'Delete it?', facts: ['3 objects, 4.1 MB'] };

  test('the dashboard ignores keys just after a confirmation opens, and then treats Enter as no', async () => {
    const { screen } = await startWithOneJob();
    const answer = screen.ui.ask(question);
    await screen.type('y');
    expect(screen.text()).toContain('Delete it?');
    await screen.tick(300);
    await screen.press('enter');
    expect(await answer).toBe(false);
  });

  test('the dashboard dims the button Yes until the confirmation accepts keys', async () => {
    const { screen } = await startWithOneJob();
    void screen.ui.ask(question);
    await screen.waitFor('Yes');
    const isDim = () =>
      screen.cells().some((row) => /^.*No {5}Yes/u.test(textOf(row)) && row.some(dimY));
    const textOf = (row: ReturnType<typeof screen.cells>[number]) =>
      row.map(({ text }) => text).join('');
    const dimY = ({ text, isDim: dim }: { text: string; isDim: boolean }) => text === 'Y' && dim;
    expect(isDim()).toBe(true);
    await screen.tick(300);
    expect(isDim()).toBe(false);
  });

  test('the dashboard treats the key y in a confirmation as yes', async () => {
    const { screen } = await startWithOneJob();
    const answer = screen.ui.ask(question);
    await screen.tick(300);
    await screen.press('y');
    expect(await answer).toBe(true);
  });

  test('the dashboard shows the buttons of a confirmation with more facts than rows', async () => {
    const { screen } = await startWithOneJob({ columns: 60, rows: 16 });
    const facts = Array.from({ length: 30 }, (_, index) => `fact ${index}`);
    void screen.ui.ask({ title: 'Remove it?', facts, type: 'photos' });
    const text = await screen.waitFor('type photos to confirm');
    expect(text).toMatch(/and \d+ lines more/);
    expect(text).toContain('Enter confirm');
  });

  test('the dashboard requires typing the name in a confirmation of danger level 3', async () => {
    const { screen } = await startWithOneJob();
    const answer = screen.ui.ask({ ...question, type: 'photos' });
    await screen.tick(300);
    await screen.type('y\r');
    await screen.waitFor('the text does not match');
    await screen.type('\u{15}photos\r');
    expect(await answer).toBe(true);
  });
});

describe('messages and undo', () => {
  test('the dashboard expires messages, and undoes an action with the key u', async () => {
    const { screen } = await startWithOneJob();
    let undone = 0;
    screen.ui.notifyUndoable('moved', async () => void (undone += 1));
    await screen.waitFor('moved   u undo');
    await screen.press('u');
    expect(undone).toBe(1);
    screen.ui.notify('done');
    await screen.waitFor('done');
    await screen.tick(6_000);
    expect(screen.text()).not.toContain('done');
  });

  test('the dashboard undoes only the newest action, and reports which one', async () => {
    const { screen } = await startWithOneJob();
    const undone: string[] = [];
    const act = (text: string) =>
      screen.ui.notifyUndoable(text, async () => void undone.push(text));
    act('paused');
    act('resumed');
    const text = await screen.waitFor('resumed   u undo');
    expect(text).not.toContain('paused');
    await screen.press('u');
    await screen.waitFor('undone: resumed');
    await screen.press('u');
    await screen.waitFor('u is not available: there is nothing to undo');
    expect(undone).toEqual(['resumed']);
  });

  test('the dashboard offers no earlier undo after a change that cannot be undone', async () => {
    const { screen } = await startWithOneJob();
    screen.ui.notifyUndoable('paused', async () => undefined);
    await screen.waitFor('paused   u undo');
    screen.ui.notifyFinal('resolved');
    expect(await screen.waitFor('resolved')).not.toContain('u undo');
  });

  test('the dashboard shows an undo that is still running', async () => {
    const { screen } = await startWithOneJob();
    const slow = Promise.withResolvers<void>();
    screen.ui.notifyUndoable('paused', () => slow.promise);
    await screen.press('u');
    await screen.waitFor('undoing: paused');
    slow.resolve();
    await screen.waitFor('undone: paused');
  });

  test('the dashboard refuses an undo while the daemon is down and allows it afterwards', async () => {
    const { daemon, screen } = await startWithOneJob();
    let undone = 0;
    screen.ui.notifyUndoable('moved', async () => void (undone += 1));
    await screen.waitFor('moved   u undo');
    daemon.stop();
    await screen.waitFor('daemon down');
    expect(await screen.waitFor('moved')).not.toContain('u undo');
    await screen.press('u');
    await screen.waitFor('undo: the daemon is down');
    daemon.down = undefined;
    await screen.press('r');
    await screen.waitFor('● running');
    await screen.press('u');
    await screen.waitFor('undone: moved');
    expect(undone).toBe(1);
  });

  test('the dashboard shows the hint of an error in the message', async () => {
    const { screen } = await startWithOneJob();
    screen.ui.notifyError(new ControlError('Failed', 'open bucket: no', { hint: 'try another' }));
    await screen.waitFor('! open bucket: no (try another)');
  });
});

describe('a daemon that is down or has another version', () => {
  test('the dashboard shows the retries and the last data after the daemon stopped', async () => {
    const { daemon, screen } = await startWithActivity(3);
    daemon.stop();
    const text = await screen.waitFor('daemon down');
    expect(text).toContain('put 2.jpg');
    await screen.tick(1_000);
    expect(screen.text()).toMatch(/daemon down 1\.0 s, retrying \(r now, s start, d diagnostics\)/);
  });

  test('the dashboard shortens the daemon state to fit the terminal', async () => {
    const { daemon, screen } = await startWithActivity(3);
    await screen.resize(60, 16);
    daemon.stop();
    await screen.waitFor(/ ● down \d\.\d s, (retry \d s|retrying) \(r now, s start, d why\)\n/);
    await screen.resize(120, 40);
    await screen.waitFor(/ ● daemon down \S+ s: lost, retry.*, d diagnostics\)\n/);
  });

  test('the dashboard replaces keys of the screen by keys for a daemon that is down, and omits the replaced keys from the help', async () => {
    const { daemon, screen } = await startWithOneJob({ rows: 60 });
    daemon.stop();
    await screen.waitFor('daemon down');
    await screen.press('?');
    const help = await screen.waitFor('Help: dashboard');
    expect(help.match(/ d {2,}\S.*/g)).toHaveLength(1);
    expect(help).toMatch(/ d +show why it is down/);
    expect(help).toMatch(/ {3,}restore test/);
    expect(help.split('\n').at(-1)).not.toContain('R run now');
  });

  test('the dashboard retries a daemon of another version with delays of up to 8 s, and at once after the key r', async () => {
    const { daemon, screen } = await startWithOneJob();
    daemon.stop(new ControlError('VersionMismatch', 'speak to the daemon: it has version 1'));
    const tries = async (ms: number) => {
      const before = daemon.connections;
      for (let each = 0; each < ms; each += 250) await screen.tick(250);
      return daemon.connections - before;
    };
    expect(await tries(4_000)).toBe(4);
    expect(await tries(16_000)).toBe(2);
    const before = daemon.connections;
    await screen.press('r');
    expect(daemon.connections).toBe(before + 1);
    daemon.down = undefined;
    await screen.press('r');
    await screen.waitFor('running');
  });

  test.each([
    [new ControlError('NotRunning', 'Holdfast is not running'), 'not running'],
    [
      new ControlError('PermissionDenied', 'reach the daemon: the socket is of another user'),
      'no permission',
    ],
    [new ControlError('VersionMismatch', 'speak to the daemon: it has version 1'), 'other version'],
  ])('the dashboard shows why the daemon is unavailable: %s', async (error, why) => {
    const { daemon, screen } = await startWithOneJob({ columns: 120, rows: 40 });
    daemon.stop(error);
    await screen.tick(250);
    await screen.waitFor(why);
    await screen.press('d');
    const text = await screen.waitFor(error.message);
    expect(text.includes('press s')).toBe(why === 'not running');
  });

  test('the dashboard starts the daemon with the key s', async () => {
    const daemon = new SeededDaemon({ status: seededStatus });
    const startDaemon = async () => {
      daemon.down = undefined;
    };
    daemon.stop();
    const screen = await new TestScreen({
      connect: daemon.connect,
      outside: { startDaemon },
    }).start();
    onTestFinished(() => screen.close());
    await screen.waitFor('daemon down');
    await screen.press('s');
    await screen.waitFor('running');
  });
});

describe('changes of the terminal size', () => {
  test('the dashboard adapts the screen to any change of the terminal size', async () => {
    const { screen } = await startWithOneJob();
    await screen.resize(50, 10);
    await screen.waitFor('too small: 50x10');
    await screen.resize(120, 40);
    const text = await screen.waitFor('8 Activity');
    expect(text.split('\n')).toHaveLength(40);
  });
});

describe('a terminal that is too small', () => {
  async function hidden() {
    const { daemon, screen } = await startWithOneJob();
    await screen.press('3');
    const state = () => {
      const { router, overlay } = screen.ui;
      return { tab: router.tab, top: router.top, overlay };
    };
    const hide = async () => {
      await screen.resize(40, 12);
      expect(await screen.waitFor('too small: 40x12')).toContain('quit');
      return { before: state(), asked: daemon.asked.length };
    };
    return { daemon, screen, state, hide };
  }

  test('the dashboard ignores keys in a terminal that is too small, both for the hidden screen and for the daemon', async () => {
    const { daemon, screen, state, hide } = await hidden();
    const shown = screen.text();
    const { before, asked } = await hide();
    await screen.press('p G j d y enter esc h n : 5 / space * o tab u r');
    expect(state()).toEqual(before);
    expect(daemon.asked.slice(asked)).toEqual([]);
    await screen.resize(80, 24);
    expect(await screen.waitFor('[3 Jobs]')).toBe(shown);
    expect(state()).toEqual(before);
    expect(daemon.asked.slice(asked)).toEqual([]);
  });

  test('the dashboard keeps a hidden form open and unchanged while text is typed in a terminal that is too small', async () => {
    const { screen, state, hide } = await hidden();
    await screen.press(':');
    await screen.type('acti');
    await screen.waitFor(':acti');
    const { before } = await hide();
    await screen.type('vityq');
    await screen.paste('pasted');
    await screen.press('ctrl-c enter esc');
    expect(state()).toEqual(before);
    expect(screen.hasQuit).toBe(false);
    await screen.resize(80, 24);
    await screen.waitFor(/:acti +│/);
  });

  test('the dashboard drops a count or key sequence that was started in a terminal that is too small', async () => {
    const { screen, hide } = await hidden();
    await screen.press('8');
    await screen.type('g');
    await hide();
    await screen.type('5');
    await screen.resize(80, 24);
    await screen.waitFor('[8 Activity]');
    expect(screen.controller.dispatcher.pending).toBe('');
  });

  test.each([
    ['q', 'q'],
    ['Ctrl-C three times', '\u{3}\u{3}\u{3}'],
  ])('the dashboard quits in a terminal that is too small after %s', async (_, keys) => {
    const { screen, hide } = await hidden();
    await hide();
    await screen.type(keys);
    expect(screen.hasQuit).toBe(true);
  });

  test('the dashboard does not quit after q in a terminal that is too small while work is in progress', async () => {
    const { screen, hide } = await hidden();
    const work = Promise.withResolvers<void>();
    const done = screen.ui.work('copying', (each) => {
      each.left = 'some objects';
      return work.promise;
    });
    await hide();
    await screen.type('q');
    expect(screen.hasQuit).toBe(false);
    work.resolve();
    await done;
  });
});

test("the dashboard writes no control characters of a screen's text to the terminal", async () => {
  const { screen } = await startWithOneJob({ theme: 'dark' });
  const { look } = screen.ui;
  const hostile = 'a\u{1b}[2J\u{7}b\u{9b}9;9Hc\u{1b}]0;title\u{1b}\\d';
  screen.ui.router.open({
    scope: 'runs',
    crumbs: ['restore'],
    actions: {},
    show: () => undefined,
    hide: () => undefined,
    draw: () => [look.paint('good', hostile)],
  });
  screen.written = '';
  screen.ui.changes.now();
  expect(await screen.waitFor('9;9H')).toContain('a[2Jb9;9Hc]0;title\\d');
  expect(screen.written.replaceAll(/\p{Cc}\[[\d;?]*[A-HKhlm]/gu, '')).not.toMatch(/(?!\n)\p{Cc}/u);
});

test('the dashboard draws the screen only with ASCII characters if the character set is ASCII', async () => {
  const { screen } = await startWithOneJob({ charset: 'ascii' });
  await screen.press('?');
  expect(await screen.waitFor('Help')).toMatch(/^[\n -~]*$/);
});

test('the dashboard truncates a long line with ASCII characters if the character set is ASCII', async () => {
  const options = { charset: 'ascii', columns: 60, rows: 24 } as const;
  const { screen, daemon } = await startWithOneJob(options);
  const watch = 'watching 93 % of the folders, too many for the system';
  daemon.emit({ type: 'job.changed', job: seededJob({ watch }) });
  expect(await screen.tickUntil('watching 93')).toMatch(/^[\n -~]*$/);
});
