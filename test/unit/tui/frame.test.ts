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

describe('keys', () => {
  test('several keys that arrive in one chunk all take effect', async () => {
    const { screen } = await startWithActivity(30);
    await screen.type('ggjjjj');
    expect(await screen.waitFor('5 of 30')).toContain('❯');
  });

  test('a count before a key moves by that many rows', async () => {
    const { screen } = await startWithActivity(30);
    await screen.type('gg');
    await screen.type('10j');
    await screen.waitFor('11 of 30');
    await screen.type('4k');
    await screen.waitFor('7 of 30');
    await screen.type('20G');
    await screen.waitFor('20 of 30');
  });

  test('a single digit selects a screen, but a count does not', async () => {
    const { screen } = await startWithActivity(30);
    await screen.type('5j');
    expect(screen.ui.router.tab).toBe('activity');
    await screen.press('5');
    expect(screen.ui.router.tab).toBe('nodes');
  });

  test('Esc and a key that follows at once are read as two keys', async () => {
    const { screen } = await startWithActivity(30);
    await screen.press('?');
    await screen.waitFor('Help: activity');
    await screen.type('\u{1b}k');
    expect(await screen.waitFor('29 of 30')).not.toContain('Help');
  });

  test('pasted text is not executed as commands', async () => {
    const { screen } = await startWithActivity(3);
    await screen.paste('q8:quit\r');
    await screen.waitFor('pasted text is ignored here');
    expect(screen.hasQuit).toBe(false);
  });

  test('Esc first clears the filter, then the marks', async () => {
    const { screen } = await startWithActivity(30);
    await screen.press('/ 9 enter space');
    expect(await screen.waitFor('1 marked')).toContain('/9');
    await screen.press('esc');
    expect(await screen.waitFor('of 30')).toContain('1 marked');
    await screen.press('esc');
    expect(screen.text()).not.toContain('marked');
  });

  test('pressing Ctrl-C three times quits from any state', async () => {
    const { screen } = await startWithOneJob();
    await screen.press(':');
    await screen.type('\u{3}');
    await screen.type('\u{3}');
    expect(screen.hasQuit).toBe(false);
    await screen.type('\u{3}');
    expect(screen.hasQuit).toBe(true);
  });
});

describe('row filter', () => {
  test.each([
    ['3.jpg', '3'],
    ['!.jpg', '0'],
    ['re:put [12]\\.', '2'],
    ['PUT', '0'],
  ])('the filter %s shows %s of 30 rows', async (filter, count) => {
    const { screen } = await startWithActivity(30);
    await screen.press('/');
    await screen.type(filter);
    await screen.type('\r');
    await screen.waitFor(`of ${count}`);
  });

  test('a new filter starts empty, Up recalls the previous filter and Esc restores it', async () => {
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

  test('an invalid regular expression in the filter is reported', async () => {
    const { screen } = await startWithActivity(3);
    await screen.press('/');
    await screen.type('re:(\r');
    await screen.waitFor('this is not a valid regular expression');
  });
});

describe('command palette', () => {
  test('the command palette completes the name of a screen with Tab and opens it', async () => {
    const { screen } = await startWithOneJob();
    await screen.type(':acti');
    await screen.waitFor('the activity screen');
    await screen.type('\t\r');
    expect(screen.ui.router.tab).toBe('activity');
  });

  test('the command palette executes a command that arrives in one chunk with its Enter', async () => {
    const { screen } = await startWithOneJob();
    await screen.type(':theme light\r');
    expect(screen.ui.look.paint('bad', 'x')).toBe(makeLook('light').paint('bad', 'x'));
  });

  test('the palette command "mouse" turns the mouse wheel on and off', async () => {
    const set: boolean[] = [];
    const { screen } = await startWithOneJob({ outside: { setMouse: (on) => void set.push(on) } });
    await screen.type(':mouse on\r:mouse off\r:mouse maybe\r');
    expect(set).toEqual([true, false]);
    await screen.waitFor('set mouse: use on or off');
  });

  test('the command palette reports an unknown command', async () => {
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
  ])('for %j, the command palette first offers %j', async (typed, offered) => {
    const { screen } = await startWithOneJob();
    await screen.type(`:${typed}`);
    const [, first = ''] = /:.*\n.*?❯ +(.*?) *│/.exec(await screen.waitFor('❯')) ?? [];
    expect(first.replaceAll(/ {2,}/g, '  ')).toContain(offered.replaceAll(/ {2,}/g, '  '));
  });

  test('in the command palette, Up recalls earlier commands and Down returns to later ones', async () => {
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

describe('confirmations', () => {
  const question = { title: 'Delete it?', facts: ['3 objects, 4.1 MB'] };

  test('a confirmation ignores keys at first, and Enter answers no', async () => {
    const { screen } = await startWithOneJob();
    const answer = screen.ui.ask(question);
    await screen.type('y');
    expect(screen.text()).toContain('Delete it?');
    await screen.tick(300);
    await screen.press('enter');
    expect(await answer).toBe(false);
  });

  test('the key y answers a confirmation with yes', async () => {
    const { screen } = await startWithOneJob();
    const answer = screen.ui.ask(question);
    await screen.tick(300);
    await screen.press('y');
    expect(await answer).toBe(true);
  });

  test('a confirmation with more facts than rows still shows its buttons', async () => {
    const { screen } = await startWithOneJob({ columns: 60, rows: 16 });
    const facts = Array.from({ length: 30 }, (_, index) => `fact ${index}`);
    void screen.ui.ask({ title: 'Remove it?', facts, type: 'photos' });
    const text = await screen.waitFor('type photos to confirm');
    expect(text).toMatch(/and \d+ lines more/);
    expect(text).toContain('Enter confirm');
  });

  test('a confirmation of danger level 3 requires typing the name', async () => {
    const { screen } = await startWithOneJob();
    const answer = screen.ui.ask({ ...question, type: 'photos' });
    await screen.tick(300);
    await screen.type('y\r');
    await screen.waitFor('the text does not match');
    await screen.type('\u{15}photos\r');
    expect(await answer).toBe(true);
  });
});

describe('messages', () => {
  test('messages expire, and the key u undoes an action that can be undone', async () => {
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

  test('an undo is refused while the daemon is down and possible after its return', async () => {
    const { daemon, screen } = await startWithOneJob();
    let undone = 0;
    screen.ui.notifyUndoable('moved', async () => void (undone += 1));
    await screen.waitFor(/ u undo .*\? help/);
    daemon.stop();
    await screen.waitFor('daemon down');
    expect(screen.text().split('\n').at(-1)).not.toContain('u undo');
    await screen.press('u');
    await screen.waitFor('undo: the daemon is down');
    daemon.down = undefined;
    await screen.press('r');
    await screen.waitFor('● running');
    await screen.press('u');
    await screen.waitFor('undone: moved');
    expect(undone).toBe(1);
  });

  test('an error message contains its hint', async () => {
    const { screen } = await startWithOneJob();
    screen.ui.notifyError(new ControlError('Failed', 'open bucket: no', { hint: 'try another' }));
    await screen.waitFor('! open bucket: no (try another)');
  });
});

describe('unavailable daemon', () => {
  test('if the daemon stops, the screen shows retries and the last data', async () => {
    const { daemon, screen } = await startWithActivity(3);
    daemon.stop();
    const text = await screen.waitFor('daemon down');
    expect(text).toContain('put 2.jpg');
    await screen.tick(1_000);
    expect(screen.text()).toMatch(/daemon down 1\.0 s, retrying \(r now, s start, d diagnostics\)/);
  });

  test('the daemon state is shortened to fit into the terminal', async () => {
    const { daemon, screen } = await startWithActivity(3);
    await screen.resize(60, 16);
    daemon.stop();
    await screen.waitFor(/ ● down \d\.\d s, (retry \d s|retrying) \(r now, s start, d why\)\n/);
    await screen.resize(120, 40);
    await screen.waitFor(/ ● daemon down .*, d diagnostics\) lost\n/);
  });

  test('the keys for a daemon that is down replace keys of the screen, and the help omits the replaced ones', async () => {
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

  test('a daemon of another version is retried with delays of up to 8 s, and at once after r', async () => {
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
  ])('the reason why the daemon is unavailable is shown: %s', async (error, why) => {
    const { daemon, screen } = await startWithOneJob({ columns: 120, rows: 40 });
    daemon.stop(error);
    await screen.tick(250);
    await screen.waitFor(why);
    await screen.press('d');
    const text = await screen.waitFor(error.message);
    expect(text.includes('press s')).toBe(why === 'not running');
  });

  test('the key s starts the daemon', async () => {
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

describe('terminal size', () => {
  test('the screen adapts to any change of the terminal size', async () => {
    const { screen } = await startWithOneJob();
    await screen.resize(50, 10);
    await screen.waitFor('too small: 50x10');
    await screen.resize(120, 40);
    const text = await screen.waitFor('8 Activity');
    expect(text.split('\n')).toHaveLength(40);
  });
});

describe('terminal that is too small', () => {
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

  test('keys in a terminal that is too small change neither the hidden screen nor the daemon', async () => {
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

  test('text in a terminal that is too small does not reach the hidden form, which stays open', async () => {
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

  test('a count or key sequence started in a terminal that is too small is not completed after resizing', async () => {
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
    ['three Ctrl-C', '\u{3}\u{3}\u{3}'],
  ])('in a terminal that is too small, %s quits', async (_, keys) => {
    const { screen, hide } = await hidden();
    await hide();
    await screen.type(keys);
    expect(screen.hasQuit).toBe(true);
  });

  test('in a terminal that is too small, q does not quit while work is in progress', async () => {
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

test('control characters in the text of a screen do not reach the terminal', async () => {
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
  expect(screen.written.replaceAll(/\p{Cc}\[[\d;?]*[A-GKhlm]/gu, '')).not.toMatch(/(?!\n)\p{Cc}/u);
});

test('with the ASCII character set, the screen contains only ASCII', async () => {
  const { screen } = await startWithOneJob({ charset: 'ascii' });
  await screen.press('?');
  expect(await screen.waitFor('Help')).toMatch(/^[\n -~]*$/);
});

test('with the ASCII character set, a long line is truncated with ASCII characters', async () => {
  const options = { charset: 'ascii', columns: 60, rows: 24 } as const;
  const { screen, daemon } = await startWithOneJob(options);
  const watch = 'watching 93 % of the folders, too many for the system';
  daemon.emit({ type: 'job.changed', job: seededJob({ watch }) });
  expect(await screen.tickUntil('watching 93')).toMatch(/^[\n -~]*$/);
});
