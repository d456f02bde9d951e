/** Tests of forms: input fields, validation, submission, and the confirmation before closing. */

import { stripVTControlCharacters } from 'node:util';

import { describe, expect, test } from 'vitest';

import { declined } from '../../../tui/acts/declined.ts';
import { startWithOneJob } from '../../helpers/tui/one-job.ts';
import { FormOverlay } from '../../../tui/widgets/form.ts';
import type { Field } from '../../../tui/widgets/form.ts';
import { TextInput } from '../../../tui/widgets/text-input.ts';
import { widthOf } from '../../../tui/text/width.ts';
import { makeLook } from '../../../tui/theme/look.ts';

describe('text input fields', () => {
  const look = makeLook('mono');
  const draw = (input: TextInput, width = 12) => stripVTControlCharacters(input.draw(width, look));

  test.each([
    ['letters', 'x'.repeat(10_000)],
    ['wide characters', '漢'.repeat(10_000)],
    ['controls', '\u{1b}'.repeat(10_000)],
  ])(
    'the dashboard shows the text around the cursor of an input field with ten thousand %s',
    (_, text) => {
      const input = new TextInput(`${text}END`);
      expect(draw(input).trimEnd()).toMatch(/END$/);
      expect(widthOf(draw(input))).toBeLessThanOrEqual(12);
      input.onKey('home');
      input.insert('AB');
      expect(draw(input)).toMatch(/^AB/);
      expect(widthOf(draw(input))).toBeLessThanOrEqual(12);
    },
  );

  test('the dashboard marks the truncated start of a text in an input field, and shows the start while the field is not focused', () => {
    const input = new TextInput('{mode: GOVERNANCE, days: 30}');
    expect(draw(input).trimEnd()).toBe('…days: 30}');
    expect(input.draw(12, look, false)).toBe('{mode: GOVE…');
    expect(new TextInput('30d').draw(12, look, false)).toBe('30d');
  });
});

describe('validation and submission of forms', () => {
  const fields = [
    {
      name: 'name',
      label: 'name',
      check: (text: string) => (text === '' ? 'is required' : undefined),
    },
    { name: 'kind', label: 'kind', value: 'a', choices: ['a', 'b'] },
  ];

  test('the dashboard submits a form only if all fields are valid, and keeps it open if the request fails', async () => {
    const { screen } = await startWithOneJob();
    const sent: unknown[] = [];
    const submit = async (values: unknown) => {
      sent.push(values);
      if (sent.length === 1) throw new Error('make it: set of that name');
    };
    screen.ui.openOverlay(new FormOverlay(screen.ui, { title: 'New thing', fields, submit }));
    await screen.press('ctrl-s');
    expect(await screen.waitFor('name: is required')).toContain('Ctrl-S save');
    await screen.type('x\t');
    await screen.press('right ctrl-s');
    await screen.waitFor('set of that name');
    await screen.press('ctrl-s');
    expect(sent).toEqual([
      { name: 'x', kind: 'b' },
      { name: 'x', kind: 'b' },
    ]);
    expect(screen.text()).not.toContain('New thing');
  });

  test('the dashboard marks an empty field as invalid only after the user edited it or submitted the form', async () => {
    const { screen } = await startWithOneJob();
    const check = (text: string) => (text === '' ? 'is required' : undefined);
    const texts = ['first', 'second', 'third'].map((name) => ({ name, label: name, check }));
    const submit = async () => undefined;
    screen.ui.openOverlay(new FormOverlay(screen.ui, { title: 'Key', fields: texts, submit }));
    expect(await screen.waitFor('third')).not.toMatch(/! (first|second|third)/);
    await screen.press('x backspace tab');
    const edited = await screen.waitFor('! first');
    expect(edited).not.toContain('! third');
    await screen.press('ctrl-s');
    await screen.waitFor('! third');
  });

  test('the dashboard keeps the size of a form for every field and shows the key that changes a choice', async () => {
    const { screen } = await startWithOneJob();
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

  test('the dashboard names the effect of Tab in a form: it completes the text, moves to the next field, or does nothing', async () => {
    const { screen } = await startWithOneJob();
    const submit = async () => undefined;
    const path = { name: 'path', label: 'path', complete: async () => undefined };
    const note = { name: 'note', label: 'note' };
    const openForm = (fields: readonly Field[]) => {
      screen.ui.openOverlay(new FormOverlay(screen.ui, { title: 'Path', fields, submit }));
      screen.ui.changes.now();
    };
    openForm([path, note]);
    await screen.waitFor('Tab complete  Ctrl-S save');
    await screen.press('tab');
    await screen.waitFor('Tab next  Ctrl-S save');
    await screen.press('esc');
    openForm([note]);
    expect(await screen.waitFor('Ctrl-S save')).not.toContain('Tab ');
  });

  test('in a low terminal, the lines above the fields of a form scroll together with the fields', async () => {
    const { screen } = await startWithOneJob({ columns: 60, rows: 16 });
    const submit = async () => undefined;
    const fields = Array.from({ length: 12 }, (_, at) => ({
      name: `f${at}`,
      label: `field ${at}`,
    }));
    const said = ['current lock: none', 'Only the current version.', 'It has 3 versions.'];
    screen.ui.openOverlay(new FormOverlay(screen.ui, { title: 'Lock', said, fields, submit }));
    expect(await screen.waitFor('current lock: none')).toContain('❯ field 0');
    await screen.press('up');
    expect(await screen.waitFor('❯ field 11')).not.toContain('current lock');
    await screen.press('tab');
    await screen.waitFor('current lock: none');
  });

  test('the dashboard shows the lines above the fields in a low terminal if they fit, and all keys of the form', async () => {
    const { screen } = await startWithOneJob({ columns: 60, rows: 16 });
    const submit = async () => undefined;
    const field = (name: string) => ({ name, label: name, choices: ['a', 'b'] });
    const openForm = (count: number) => {
      const fields = Array.from({ length: count }, (_, index) => field(`field ${index}`));
      const options = { title: 'Lock', said: ['current lock: none'], fields, submit };
      screen.ui.openOverlay(new FormOverlay(screen.ui, options));
      screen.ui.changes.now();
    };
    openForm(3);
    await screen.waitFor('current lock: none');
    await screen.press('esc');
    openForm(12);
    expect(await screen.waitFor('Space change')).toContain('Ctrl-S save  Esc cancel');
  });

  test('the dashboard selects a choice by its letter and refuses other text', async () => {
    const { screen } = await startWithOneJob();
    const modes = [
      { name: 'mode', label: 'mode', value: 'GOVERNANCE', choices: ['GOVERNANCE', 'COMPLIANCE'] },
    ];
    const submit = async () => undefined;
    screen.ui.openOverlay(new FormOverlay(screen.ui, { title: 'Lock', fields: modes, submit }));
    await screen.press('c');
    await screen.waitFor('< COMPLIANCE >');
    await screen.press('3');
    await screen.waitFor('mode is chosen with Space; Tab goes to the next field');
  });

  test('the dashboard shows the scroll position of a form with more fields than rows', async () => {
    const { screen } = await startWithOneJob({ rows: 16 });
    const many = Array.from({ length: 30 }, (_, at) => ({ name: `f${at}`, label: `field ${at}` }));
    const submit = async () => undefined;
    screen.ui.openOverlay(new FormOverlay(screen.ui, { title: 'Long', fields: many, submit }));
    await screen.waitFor('1 of 30  Tab next');
    await screen.press('tab');
    await screen.waitFor('2 of 30  Tab next');
  });

  test('the dashboard shows no character of a secret field, typed or pasted, and submits the text unchanged', async () => {
    const { screen } = await startWithOneJob();
    const sent: unknown[] = [];
    const submit = async (values: unknown) => void sent.push(values);
    const key = [
      { name: 'secret', label: 'secret', isSecret: true },
      { name: 'note', label: 'note' },
    ];
    screen.ui.openOverlay(
      new FormOverlay(screen.ui, { title: 'Key', act: 'add', fields: key, submit }),
    );
    await screen.type('o');
    await screen.paste('penSesame');
    expect(await screen.waitFor('**********')).toContain('Ctrl-S add');
    await screen.press('tab');
    await screen.press('tab');
    expect(await screen.waitFor('**********')).not.toContain('Sesame');
    await screen.press('ctrl-s');
    expect(sent).toEqual([{ secret: 'openSesame', note: '' }]);
    expect(screen.written).not.toMatch(/penS|Sesame/);
  });

  test.each([undefined, 'media'])(
    'the dashboard returns from a question of a form to the form with its values on Esc (typed answer: %s)',
    async (type) => {
      const { screen } = await startWithOneJob();
      const { ui } = screen;
      const sent: unknown[] = [];
      const submit = async (values: unknown) => {
        const yes = await ui.ask({ title: 'Really?', facts: [], ...(type && { type }) });
        if (!yes) throw declined();
        sent.push(values);
      };
      ui.openOverlay(new FormOverlay(ui, { title: 'New thing', fields, submit }));
      await screen.press('x tab space ctrl-s');
      expect(await screen.waitFor('Really?')).toContain('Esc back to the form');
      await screen.press('esc');
      const text = await screen.waitFor('New thing');
      expect(text).not.toContain('Really?');
      expect(text).toMatch(/name +x/);
      expect(text).toContain('< b >');
      await screen.press('ctrl-s');
      await screen.waitFor('Really?');
      await screen.press(type === undefined ? 'y' : `${type.split('').join(' ')} enter`);
      await screen.waitFor('photos');
      expect(sent).toEqual([{ name: 'x', kind: 'b' }]);
    },
  );

  test('the dashboard shows that Esc means no in a question without a form', async () => {
    const { screen } = await startWithOneJob();
    void screen.ui.ask({ title: 'Really?', facts: [] });
    expect(await screen.waitFor('Really?')).toContain('n no  Esc no');
  });

  test('the dashboard asks for confirmation before a changed form closes', async () => {
    const { screen } = await startWithOneJob();
    const submit = async () => undefined;
    screen.ui.openOverlay(new FormOverlay(screen.ui, { title: 'New thing', fields, submit }));
    await screen.press('x esc');
    await screen.waitFor('Your changes are lost');
    await screen.press('n');
    expect(await screen.waitFor('New thing')).toContain('x');
  });
});
