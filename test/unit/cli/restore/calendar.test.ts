/** Tests of the calendar in which `holdfast restore` asks for a day: its keys and its lines. */

import { describe, expect, it } from 'vitest';

import {
  type Calendar,
  calendarLines,
  type Chosen,
  openCalendar,
  pressCalendar,
} from '../../../../src/cli/commands/restore/ask/calendar.ts';
import type { DayTotals } from '../../../../src/cli/commands/restore/folder-history.ts';

const NOW = new Date(2026, 10, 21, 14, 3, 22).getTime();
const none: DayTotals = { added: 0, changed: 0, removed: 0, moved: 0, bytes: 0 };
const DAYS = new Map([
  ['2026-11-20', { ...none, added: 1_200, removed: 2 }],
  ['2026-11-03', { ...none, changed: 1 }],
  ['2026-02-28', none],
]);
const KNOWN = { now: NOW, days: DAYS };

/** Presses keys, separated by spaces, starting at the present day. */
function pressed(keys: string, known: Parameters<typeof pressCalendar>[2] = KNOWN) {
  let state: Calendar | Chosen = openCalendar(NOW);
  for (const key of keys.split(' ')) if ('day' in state) state = pressCalendar(state, key, known);
  return state;
}

function linesAfter(keys: string, known = KNOWN) {
  const state = pressed(keys);
  if (!('day' in state)) throw new Error('the calendar has ended');
  return calendarLines('photos', state, known).map((line) => line.map(({ text }) => text).join(''));
}

describe('keys of the restore calendar', () => {
  it.each([
    ['left', '2026-11-20'],
    ['left left right', '2026-11-20'],
    ['up', '2026-11-14'],
    ['up up up', '2026-10-31'],
    ['up down', '2026-11-21'],
    ['pageup', '2026-10-21'],
    ['pageup pagedown', '2026-11-21'],
    [
      'up pageup pageup left left left left left left left left left left left left left',
      '2026-09-01',
    ],
    ['up up up pageup', '2026-09-30'],
    ['pageup pageup t', '2026-11-21'],
    ['p', '2026-11-20'],
    ['p p', '2026-11-03'],
    ['p p p', '2026-02-28'],
    ['p p p n', '2026-11-03'],
  ])('the keys %s select %s', (keys, day) => {
    expect(pressed(keys)).toEqual({ day, clock: '' });
  });

  it.each(['right', 'down', 'pagedown'])('the key %s stays at the present day', (key) => {
    expect(pressed(key)).toMatchObject({ day: '2026-11-21' });
  });

  it('the restore calendar shows a message on the keys p and n if no other day has changes', () => {
    expect(pressed('n')).toMatchObject({ day: '2026-11-21', problem: expect.any(String) });
    expect(pressed('p p p p')).toMatchObject({ day: '2026-02-28', problem: expect.any(String) });
  });

  it('Escape goes back, and Enter on the present day selects the present time', () => {
    expect(pressed('left escape')).toEqual({ is: 'back' });
    expect(pressed('enter')).toEqual({ is: 'time' });
  });

  it('Enter on an earlier day selects the end of that day', () => {
    const midnight = new Date(2026, 10, 21).getTime();
    expect(pressed('left enter')).toEqual({ is: 'time', at: midnight - 1 });
  });

  it.each([
    ['1 4 : 0 0', [14, 0, 0, 0]],
    ['9 : 0 5', [9, 5, 0, 0]],
    ['7', [7, 0, 0, 0]],
    ['1 9 backspace 4', [14, 0, 0, 0]],
    ['1 4 : 0 0 : 3 0', [14, 0, 30, 999]],
  ] as const)('the keys %s enter a time of day', (keys, [hour, minute, second, ms]) => {
    const at = new Date(2026, 10, 20, hour, minute, second, ms).getTime();
    expect(pressed(`left ${keys} enter`)).toEqual({ is: 'time', at });
  });

  it.each([
    ['2 5 : 0 0', 'not a time of day'],
    ['1 4 : 0', 'not a time of day'],
    [':', 'not a time of day'],
    ['2 3 : 0 0', 'in the future'],
  ])(
    'the calendar refuses the keys %s as a time of day and keeps the text for a correction',
    (keys, problem) => {
      const state = pressed(`${keys} enter`);
      const clock = keys.replaceAll(' ', '');
      expect(state).toEqual({
        day: '2026-11-21',
        clock,
        problem: expect.stringContaining(problem),
      });
    },
  );
});

describe('lines of the restore calendar', () => {
  it('the calendar marks the days with changes in a month and counts the changes of the selected day', () => {
    expect(linesAfter('left')).toMatchInlineSnapshot(`
      [
        "Restore photos as of which day?",
        "",
        "November 2026",
        "  Mo   Tu   We   Th   Fr   Sa   Su",
        "                                1  ",
        "  2    3*   4    5    6    7    8  ",
        "  9   10   11   12   13   14   15  ",
        " 16   17   18   19  [20*] 21   22  ",
        " 23   24   25   26   27   28   29  ",
        " 30                                ",
        "2026-11-20: 1,200 added, 2 removed",
        "Enter: as of 2026-11-20 23:59:59; or type a time of day",
        "arrows, PgUp/PgDn month, n/p changes, t today, Enter, Esc",
      ]
    `);
  });

  it('the calendar shows a month of six weeks in 60 columns and 16 rows', () => {
    const lines = linesAfter('up pageup pageup pageup');
    expect(lines.length).toBeLessThanOrEqual(16);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(60);
    expect(linesAfter('pageup pageup pageup')[9]).toContain('31');
  });

  it('the calendar shows a day without changes, a typed time of day and that changes are still being read', () => {
    expect(linesAfter('up 0 9 :').slice(-3, -1)).toEqual([
      '2026-11-14: no changes',
      'time of day: 09:_',
    ]);
    expect(linesAfter('p p p').at(-3)).toBe('2026-02-28: only attributes changed');
    const reading = { now: NOW, days: new Map<string, DayTotals>(), counted: 11_901 };
    expect(linesAfter('left', reading).at(-3)).toContain('counting… 11,901 changes so far');
    const undated = { ...KNOWN, undated: 2 };
    expect(linesAfter('left', undated)[1]).toBe('the service may have changed dates of 2 paths');
  });
});
