/** The frame around every screen: keys, questions, messages, sizes, and a daemon that comes and goes. */

import { afterEach, describe, expect, test } from 'vitest';

import { ControlError } from '../../../src/control/control-error.ts';
import { FormOverlay } from '../../../tui/components/form.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import type { ScreenOptions } from '../../helpers/tui/screen.ts';
import { seededJob, seededStatus } from '../../helpers/tui/seeds.ts';

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

async function start(options: Partial<ScreenOptions> = {}) {
  const daemon = new SeededDaemon({ status: seededStatus });
  const screen = await new TestScreen({ ...options, connect: daemon.connect }).start();
  open.push(screen);
  return { daemon, screen };
}

/** On the screen of activity, with `count` of them. */
async function startWithActivity(count: number) {
  const { daemon, screen } = await start();
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
  test('that come in one piece are all done', async () => {
    const { screen } = await startWithActivity(30);
    await screen.type('ggjjjj');
    expect(await screen.waitFor('5 of 30')).toContain('❯');
  });

  test('with a count move so many rows', async () => {
    const { screen } = await startWithActivity(30);
    await screen.type('gg');
    await screen.type('10j');
    await screen.waitFor('11 of 30');
    await screen.type('4k');
    await screen.waitFor('7 of 30');
    await screen.type('20G');
    await screen.waitFor('20 of 30');
  });

  test('a digit alone chooses a screen, and a count does not leave it', async () => {
    const { screen } = await startWithActivity(30);
    await screen.type('5j');
    expect(screen.ui.router.tab).toBe('activity');
    await screen.press('5');
    expect(screen.ui.router.tab).toBe('nodes');
  });

  test('Esc and a key right after it are two keys', async () => {
    const { screen } = await startWithActivity(30);
    await screen.press('?');
    await screen.waitFor('Help: activity');
    await screen.type('\u{1b}k');
    expect(await screen.waitFor('29 of 30')).not.toContain('Help');
  });

  test('text that is pasted is no command', async () => {
    const { screen } = await startWithActivity(3);
    await screen.paste('q8:quit\r');
    await screen.waitFor('pasted text is not taken as commands');
    expect(screen.hasQuit).toBe(false);
  });

  test('Esc leaves the filter, then the marks', async () => {
    const { screen } = await startWithActivity(30);
    await screen.press('/ 9 enter space');
    expect(await screen.waitFor('1 marked')).toContain('/9');
    await screen.press('esc');
    expect(await screen.waitFor('of 30')).toContain('1 marked');
    await screen.press('esc');
    expect(screen.text()).not.toContain('marked');
  });

  test('three Ctrl-C leave whatever is open', async () => {
    const { screen } = await start();
    await screen.press(':');
    await screen.type('\u{3}');
    await screen.type('\u{3}');
    expect(screen.hasQuit).toBe(false);
    await screen.type('\u{3}');
    expect(screen.hasQuit).toBe(true);
  });
});

describe('the filter', () => {
  test.each([
    ['3.jpg', '3'],
    ['!.jpg', '0'],
    ['re:put [12]\\.', '2'],
    ['PUT', '0'],
  ])('%s leaves %s of 30 rows', async (filter, count) => {
    const { screen } = await startWithActivity(30);
    await screen.press('/');
    await screen.type(filter);
    await screen.type('\r');
    await screen.waitFor(`of ${count}`);
  });

  test('says of an expression that is none that it is', async () => {
    const { screen } = await startWithActivity(3);
    await screen.press('/');
    await screen.type('re:(\r');
    await screen.waitFor('this is no regular expression');
  });
});

describe('the palette', () => {
  test('goes to a screen by its name, completed by Tab', async () => {
    const { screen } = await start();
    await screen.type(':acti');
    await screen.waitFor('the activity screen');
    await screen.type('\t\r');
    expect(screen.ui.router.tab).toBe('activity');
  });

  test('does what was typed in one piece with its Enter', async () => {
    const { screen } = await start();
    await screen.type(':theme light\r');
    expect(screen.ui.look.theme).toBe('light');
  });

  test('turns the wheel on and off', async () => {
    const set: boolean[] = [];
    const { screen } = await start({ outside: { setMouse: (on) => void set.push(on) } });
    await screen.type(':mouse on\r:mouse off\r:mouse maybe\r');
    expect(set).toEqual([true, false]);
    await screen.waitFor('set mouse: it is on or off');
  });

  test('says of a word that nothing is called so', async () => {
    const { screen } = await start();
    await screen.type(':xyzzy\r');
    await screen.waitFor('nothing is called "xyzzy"');
  });
});

describe('a question', () => {
  const question = { title: 'Delete it?', facts: ['3 objects, 4.1 MB'] };

  test('is deaf for a moment, and Enter says no', async () => {
    const { screen } = await start();
    const answer = screen.ui.ask(question);
    await screen.type('y');
    expect(screen.text()).toContain('Delete it?');
    await screen.tick(300);
    await screen.press('enter');
    expect(await answer).toBe(false);
  });

  test('is answered by y', async () => {
    const { screen } = await start();
    const answer = screen.ui.ask(question);
    await screen.tick(300);
    await screen.press('y');
    expect(await answer).toBe(true);
  });

  test('of danger 3 takes only the name', async () => {
    const { screen } = await start();
    const answer = screen.ui.ask({ ...question, type: 'photos' });
    await screen.tick(300);
    await screen.type('y\r');
    await screen.waitFor('that is not it');
    await screen.type('\u{15}photos\r');
    expect(await answer).toBe(true);
  });
});

describe('messages', () => {
  test('go by themselves, and what can be undone is, by u', async () => {
    const { screen } = await start();
    let undone = 0;
    screen.ui.tellUndoable('moved', async () => void (undone += 1));
    await screen.waitFor('moved   u undo');
    await screen.press('u');
    expect(undone).toBe(1);
    screen.ui.tell('done');
    await screen.waitFor('done');
    await screen.tick(6_000);
    expect(screen.text()).not.toContain('done');
  });

  test('of errors have their hint', async () => {
    const { screen } = await start();
    screen.ui.tellError(new ControlError('Failed', 'open bucket: no', { hint: 'try another' }));
    await screen.waitFor('! open bucket: no (try another)');
  });
});

describe('a message', () => {
  test('is told whole, in three lines at most', async () => {
    const { screen } = await start();
    screen.ui.warn(`start daemon: ${'the port is in use, '.repeat(5)}choose another one`);
    expect(await screen.waitFor('choose another one')).not.toContain('…');
    screen.ui.warn('and so on '.repeat(60));
    expect(
      (await screen.waitFor('…')).split('\n').filter((line) => line.includes('so on')),
    ).toHaveLength(3);
  });
});

describe('the footer', () => {
  test('has the keys that can be used now, and always the way to all', async () => {
    const { screen, daemon } = await start();
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
    expect(await screen.tickUntil('no job yet')).not.toContain('p pause');
    expect(footer()).toContain('n new');
  });
});

describe('the help', () => {
  test('tells each reason whole, and how much of it is shown', async () => {
    const { screen } = await start();
    await screen.press('3 ?');
    const text = await screen.waitFor('Help: jobs');
    expect(text).toMatch(/to \d+ of \d+ {2}j k move/);
    expect(text).not.toContain('…');
    await screen.press('G');
    expect(await screen.waitFor(/to (\d+) of \1/)).toContain('j k move');
  });
});

describe('a form', () => {
  const fields = [
    {
      name: 'name',
      label: 'name',
      check: (text: string) => (text === '' ? 'is required' : undefined),
    },
    { name: 'kind', label: 'kind', value: 'a', choices: ['a', 'b'] },
  ];

  test('is sent only when its fields are right, and stays open when it is refused', async () => {
    const { screen } = await start();
    const sent: unknown[] = [];
    const submit = async (values: unknown) => {
      sent.push(values);
      if (sent.length === 1) throw new Error('make it: there is one of that name');
    };
    screen.ui.openOverlay(new FormOverlay(screen.ui, { title: 'New thing', fields, submit }));
    await screen.press('ctrl-s');
    await screen.waitFor('is required');
    await screen.type('x\t');
    await screen.press('right ctrl-s');
    await screen.waitFor('there is one of that name');
    await screen.press('ctrl-s');
    expect(sent).toEqual([
      { name: 'x', kind: 'b' },
      { name: 'x', kind: 'b' },
    ]);
    expect(screen.text()).not.toContain('New thing');
  });

  test('is as large whichever field is at hand, and says how a choice is changed', async () => {
    const { screen } = await start();
    const helped = [
      { name: 'note', label: 'note', help: 'what others will read, which may well be longer' },
      { name: 'kind', label: 'kind', value: 'a', choices: ['a', 'b'] },
    ];
    const submit = async () => undefined;
    screen.ui.openOverlay(
      new FormOverlay(screen.ui, { title: 'New thing', fields: helped, submit }),
    );
    const borders = (text: string) =>
      text.split('\n').map((line) => line.search(/[┌└]─+[┐┘]|┌─ New/u));
    const before = await screen.waitFor('may well be longer');
    expect(before).not.toContain('Space change');
    await screen.press('tab');
    const after = await screen.waitFor('Space change');
    expect(borders(after)).toEqual(borders(before));
    await screen.press('z esc');
    expect(screen.text()).not.toContain('New thing');
  });

  test('that was written in asks before it goes', async () => {
    const { screen } = await start();
    const submit = async () => undefined;
    screen.ui.openOverlay(new FormOverlay(screen.ui, { title: 'New thing', fields, submit }));
    await screen.press('x esc');
    await screen.waitFor('What you typed is not kept');
    await screen.press('n');
    expect(await screen.waitFor('New thing')).toContain('x');
  });
});

describe('a daemon that is not there', () => {
  test('is told with the time of the next try, and its data stays', async () => {
    const { daemon, screen } = await startWithActivity(3);
    daemon.stop();
    const text = await screen.waitFor('daemon down');
    expect(text).toContain('put 2.jpg');
    await screen.tick(1_000);
    expect(screen.text()).toMatch(
      /daemon down 00:01, retry in \d s \(r now, s start, d diagnostics\)/,
    );
  });

  test('is tried again ever more seldom, and at once by r', async () => {
    const { daemon, screen } = await start();
    daemon.stop();
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
    [new ControlError('NotRunning', 'reach the daemon: none is running'), 'not running'],
    [
      new ControlError('PermissionDenied', 'reach the daemon: the socket is of another user'),
      'no permission',
    ],
    [new ControlError('VersionMismatch', 'speak to the daemon: it has version 1'), 'other version'],
  ])('says why: %s', async (error, why) => {
    const { daemon, screen } = await start({ columns: 120, rows: 40 });
    daemon.stop(error);
    await screen.tick(250);
    await screen.waitFor(why);
    await screen.press('d');
    await screen.waitFor(error.message);
  });

  test('is started by s', async () => {
    const daemon = new SeededDaemon({ status: seededStatus });
    const startDaemon = async () => {
      daemon.down = undefined;
    };
    daemon.stop();
    const screen = await new TestScreen({
      connect: daemon.connect,
      outside: { startDaemon },
    }).start();
    open.push(screen);
    await screen.waitFor('daemon down');
    await screen.press('s');
    await screen.waitFor('running');
  });
});

describe('the size', () => {
  test('of a terminal may change at any time', async () => {
    const { screen } = await start();
    await screen.resize(50, 10);
    await screen.waitFor('too small: 50x10');
    await screen.resize(120, 40);
    const text = await screen.waitFor('8 Activity');
    expect(text.split('\n')).toHaveLength(40);
  });
});

test('without Unicode nothing but ASCII is drawn', async () => {
  const { screen } = await start({ charset: 'ascii' });
  await screen.press('?');
  expect(await screen.waitFor('Help')).toMatch(/^[\n -~]*$/);
});
