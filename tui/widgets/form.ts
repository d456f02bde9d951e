/** A form with several fields. It checks the fields while the user types, and submits them together. */

import type { Question } from '../commands/command.ts';
import type { Drawn, Overlay, OverlayHost } from './overlay.ts';
import type { Area } from './layout.ts';
import { errorMessage, isAbort } from '../../src/base/errors.ts';
import { pad, widthOf, wrap } from '../text/width.ts';
import type { Look } from '../theme/look.ts';
import { firstEditable, formKeys } from './form-keys.ts';
import { clamp } from './window.ts';
import { characterOf } from '../input/key-names.ts';
import { TextInput } from './text-input.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  /** The section that the field belongs to. Its title is shown above the section's first field. */
  readonly group?: string | undefined;
  /** Describes the allowed values. Shown below the fields. */
  readonly help?: string;
  readonly value?: string;
  /** The value that applies while the field is empty. Shown in the empty field. */
  readonly placeholder?: string;
  /** The values that the user selects with the arrow keys. If present, no other text can be typed. */
  readonly choices?: readonly string[];
  /** Returns the text that shows a choice. By default, it is the choice itself. */
  readonly choiceText?: (choice: string) => string;
  /** Whether each typed character is shown as a star. */
  readonly isSecret?: boolean;
  /** Why the field is read-only. Absent if the user can edit the field. */
  readonly fixed?: string;
  /** Returns why the text is invalid, or undefined if it is valid. */
  readonly check?: (text: string, all: FormValues) => string | undefined;
  /** Completes the text on Tab. If it returns undefined, Tab moves to the next field. */
  readonly complete?: (text: string) => Promise<string | undefined>;
}

export type FormValues = Readonly<Record<string, string>>;

export interface FormOptions {
  readonly title: string;
  readonly fields: readonly Field[];
  /** Values that the user typed before. They replace the fields' initial values. */
  readonly values?: FormValues;
  /** Lines above the fields. They must be safe to draw. */
  readonly said?: readonly string[];
  /** The verb for submitting the form. The default is `save`. */
  readonly act?: string;
  /** Submits the values. If it rejects, the form shows the reason and stays open. */
  readonly submit: (values: FormValues) => Promise<void>;
  /** Called when the form closes without being submitted. */
  readonly left?: () => void;
}

const NEXT_KEYS: ReadonlySet<string> = new Set(['right', 'space', 'l']);
const PREVIOUS_KEYS: ReadonlySet<string> = new Set(['left', 'h']);
/** With fewer rows than this, the lines above the fields scroll with the fields. */
const LOW = 14;

interface FormHost extends OverlayHost {
  /** Asks the user a question. Resolves with true if the user answers yes. */
  ask(question: Question): Promise<boolean>;
  errorWords(error: unknown): string;
}

export class FormOverlay implements Overlay {
  readonly isForm = true;
  readonly #ui: FormHost;
  readonly #options: FormOptions;
  readonly #inputs: readonly TextInput[];
  #focus = 0;
  #problem: string | undefined;
  #isSending = false;
  #isSent = false;
  /** Whether the user has tried to submit. Until then, an empty field shows its problem only if it was edited. */
  #isTried = false;
  readonly #edited: Set<string>;
  /** The index of the field in each drawn line. */
  #drawn: readonly (number | undefined)[] = [];
  /** Whether the user has just entered the field. If so, typed text replaces the field's value. */
  #isFresh = true;

  constructor(ui: FormHost, options: FormOptions) {
    this.#ui = ui;
    this.#options = options;
    this.#edited = new Set(Object.keys(options.values ?? {}));
    this.#inputs = options.fields.map(
      ({ name, value = '', isSecret = false }) =>
        new TextInput(options.values?.[name] ?? value, { isSecret }),
    );
    this.#focus = firstEditable(options.fields);
  }

  onKey(key: string): void {
    if (this.#isSending) return;
    this.#problem = undefined;
    if (key === 'esc') return this.#leave();
    if (key === 'ctrl-s') return void this.#send();
    if (key === 'enter') return this.#isLast ? void this.#send() : this.#step(1);
    const complete = this.#options.fields[this.#focus]?.complete;
    if (key === 'tab' && complete) return void this.#complete(complete);
    if (key === 'tab' || key === 'down') return this.#step(1);
    if (key === 'shift-tab' || key === 'up') return this.#step(-1);
    if (key === 'pagedown') return this.#toSection(1);
    if (key === 'pageup') return this.#toSection(-1);
    this.#edit(key);
  }

  /** Selects the clicked field. If that field is already selected and has choices, selects its next choice. */
  onClick(line: number): void {
    const index = this.#drawn[line];
    const field = index === undefined ? undefined : this.#options.fields[index];
    if (index === undefined || !field || field.fixed !== undefined || this.#isSending) return;
    if (index === this.#focus && field.choices) return this.#edit('space');
    this.#isFresh = index !== this.#focus || this.#isFresh;
    this.#focus = index;
  }

  onPaste(text: string): void {
    const field = this.#options.fields[this.#focus];
    if (!field || field.choices || field.fixed !== undefined) return;
    this.#edited.add(field.name);
    const input = this.#inputs[this.#focus];
    if (this.#isFresh && input) input.text = '';
    this.#isFresh = false;
    input?.insert(text.trim());
    this.#ui.changes.now();
  }

  onClose(): void {
    if (!this.#isSent) this.#options.left?.();
  }

  async #complete(complete: NonNullable<Field['complete']>): Promise<void> {
    const input = this.#inputs[this.#focus];
    if (!input) return;
    const before = input.text;
    try {
      const completed = await complete(before);
      // The user typed while the completion was running, so the typed text takes precedence.
      if (input.text !== before) return;
      if (completed === undefined) this.#step(1);
      else input.text = completed;
    } catch (error) {
      this.#problem = errorMessage(error);
    }
    this.#ui.changes.now();
  }

  #edit(key: string): void {
    const [field, input] = [this.#options.fields[this.#focus], this.#inputs[this.#focus]];
    if (!field || !input || field.fixed !== undefined) return;
    if (!field.choices) return this.#type(field, input, key);
    const step = Number(NEXT_KEYS.has(key)) - Number(PREVIOUS_KEYS.has(key));
    if (step === 0) return this.#select(field, input, key);
    this.#edited.add(field.name);
    const at = Math.max(0, field.choices.indexOf(input.text));
    const count = field.choices.length;
    input.text = field.choices[(at + step + count) % count] ?? input.text;
  }

  /** Selects the next choice that starts with the typed letter. Any other character shows a message. */
  #select(field: Field, input: TextInput, key: string): void {
    const { name, label, choices = [], choiceText = String } = field;
    const letter = characterOf(key)?.toLowerCase();
    if (letter === undefined) return;
    const at = choices.indexOf(input.text);
    const ordered = [...choices.slice(at + 1), ...choices.slice(0, at)];
    const found = ordered.find((choice) => choiceText(choice).toLowerCase().startsWith(letter));
    if (found === undefined) {
      const isIt = choiceText(input.text).toLowerCase().startsWith(letter);
      if (!isIt) this.#problem = `${label} is chosen with Space; Tab goes to the next field`;
      return;
    }
    this.#edited.add(name);
    input.text = found;
  }

  #type({ name }: Field, input: TextInput, key: string): void {
    this.#edited.add(name);
    if (this.#isFresh && characterOf(key) !== undefined) input.text = '';
    this.#isFresh = false;
    input.onKey(key);
  }

  get #isLast(): boolean {
    return this.#options.fields.slice(this.#focus + 1).every(({ fixed }) => fixed !== undefined);
  }

  #step(step: 1 | -1): void {
    const { fields } = this.#options;
    this.#isFresh = true;
    for (let tries = 0; tries < fields.length; tries += 1) {
      this.#focus = (this.#focus + step + fields.length) % fields.length;
      if (fields[this.#focus]?.fixed === undefined) return;
    }
  }

  /** Moves to the first editable field of the next or previous section. */
  #toSection(step: 1 | -1): void {
    const { fields } = this.#options;
    const starts = fields.flatMap(({ group, fixed }, index) =>
      fixed === undefined && fields[index - 1]?.group !== group ? [index] : [],
    );
    const to =
      step > 0
        ? starts.find((index) => index > this.#focus)
        : starts.findLast((index) => index < this.#focus);
    if (to === undefined) return;
    this.#focus = to;
    this.#isFresh = true;
  }

  #leave(): void {
    if (this.#edited.size === 0) return this.#ui.closeOverlay(this);
    const question = { title: 'Discard the changes?', facts: ['Your changes are lost.'] };
    void this.#ui.ask(question).then((yes) => yes && this.#ui.closeOverlay(this));
  }

  get #values(): FormValues {
    const entries = this.#options.fields.map(({ name }, index) => {
      return [name, this.#inputs[index]?.text ?? ''] as const;
    });
    return Object.fromEntries(entries);
  }

  /** Returns why a field is invalid, with the field's name: `name: is required`. */
  #problemOf(index: number): string | undefined {
    const field = this.#options.fields[index];
    const problem = field?.check?.(this.#inputs[index]?.text ?? '', this.#values);
    return problem === undefined ? undefined : `${field?.label}: ${problem}`;
  }

  async #send(): Promise<void> {
    this.#isTried = true;
    const wrong = this.#options.fields.findIndex((_, at) => this.#problemOf(at) !== undefined);
    if (wrong >= 0) {
      this.#focus = wrong;
      this.#problem = this.#problemOf(wrong);
      return;
    }
    this.#isSending = true;
    this.#ui.changes.now();
    try {
      await this.#options.submit(this.#values);
      this.#isSent = true;
      this.#ui.closeOverlay(this);
    } catch (error) {
      if (!isAbort(error)) this.#problem = this.#ui.errorWords(error);
    }
    this.#isSending = false;
    this.#ui.changes.now();
  }

  draw(area: Area, look: Look): Drawn {
    const { title, fields, said = [], act = 'save' } = this.#options;
    const { columns } = area;
    const ways = fields.map((_, focus) => formKeys({ fields, focus, act, columns }));
    const labels = Math.max(...fields.map(({ label }) => widthOf(label))) + 2;
    const room = Math.max(8, area.columns - labels - 2);
    const { rows, indexes } = this.#rows({ labels, room, look });
    const above = said.flatMap((line) => wrap(line, area.columns));
    // A field that the user has just entered shows its help instead of an error for being empty.
    const wrong = this.#isFresh ? undefined : this.#problemOf(this.#focus);
    const tail = this.#problem ?? wrong ?? '';
    // The form has the same height whichever field is selected, because a dialog that changes its size is hard to read.
    const helps = fields.map(({ help = '' }) => wrap(help, area.columns));
    const foot = [
      ...(wrong === undefined ? (helps[this.#focus] ?? []) : []).map((line) =>
        look.paint('dim', line),
      ),
      ...(tail === '' ? [] : wrap(look.name(tail), area.columns)).map((line) =>
        look.paint('bad', line),
      ),
    ];
    const most = Math.max(0, ...helps.map(({ length }) => length));
    const isLow = area.rows < Math.min(LOW, above.length + rows.length + most + 3);
    const rest = isLow ? 0 : most + 1 - foot.length;
    const widest = Math.max(...[...ways, ...helps.flat()].map(widthOf));
    foot.push(...Array.from({ length: Math.max(0, rest) }, () => ''));
    const head = isLow ? [] : above;
    const scrolled = isLow ? above : [];
    rows.unshift(...scrolled);
    indexes.unshift(...scrolled.map(() => undefined));
    const height = Math.max(1, area.rows - head.length - foot.length - 2);
    const focusedRow = indexes.indexOf(this.#focus);
    // The lines above the first field are visible when the form opens.
    const before = this.#focus === firstEditable(fields) ? height - 1 : Math.floor(height / 2);
    const top = clamp(focusedRow - before, 0, Math.max(0, rows.length - height));
    const shown = rows.slice(top, top + height);
    this.#drawn = [...head.map(() => undefined), ...indexes.slice(top, top + height)];
    const place = shown.length < rows.length ? `${this.#focus + 1} of ${fields.length}  ` : '';
    const hints = ways[this.#focus] ?? '';
    const placed = widthOf(place + hints) <= area.columns - 2 ? place + hints : hints;
    const keys = this.#isSending ? 'sending' : placed;
    return { title, lines: [...head, ...shown, ' '.repeat(widest), ...foot], keys };
  }

  /** Returns the rows of the fields, with a title above each section. */
  #rows(place: { labels: number; room: number; look: Look }): {
    rows: string[];
    /** The index of the field in each row. Undefined for a title. */
    indexes: (number | undefined)[];
  } {
    const rows: string[] = [];
    const indexes: (number | undefined)[] = [];
    let section: string | undefined;
    for (const [index, field] of this.#options.fields.entries()) {
      if (field.group !== section && field.group !== undefined) {
        rows.push(place.look.paint('accent', field.group));
        indexes.push(undefined);
      }
      section = field.group;
      indexes.push(index);
      rows.push(this.#row(field, index, place));
    }
    return { rows, indexes };
  }

  #row(field: Field, index: number, place: { labels: number; room: number; look: Look }): string {
    const { labels, room, look } = place;
    const isFocused = index === this.#focus;
    const label = pad(field.label, labels);
    const input = this.#inputs[index];
    const value = input?.shown(look) ?? '';
    const isSeen = value !== '' || this.#isTried || this.#edited.has(field.name);
    const isWrong = isSeen && this.#problemOf(index) !== undefined;
    const sign = isFocused ? look.pointer : isWrong ? '!' : ' ';
    if (field.fixed !== undefined) {
      return look.paint('dim', look.cut(`  ${label}${value} (${field.fixed})`, labels + room + 2));
    }
    if (field.choices) {
      const choice = `< ${field.choiceText?.(value) ?? value} >`;
      const name = isFocused ? look.paint('strong', label) : label;
      return `${sign} ${name}${isFocused ? look.paint('selected', choice) : choice}`;
    }
    const isReplaced = isFocused && this.#isFresh && value !== '';
    const { placeholder = '' } = field;
    if (!isFocused && value === '' && placeholder !== '') {
      return `${sign} ${label}${look.paint('dim', look.cut(look.name(`(${placeholder})`), room))}`;
    }
    const text = isReplaced
      ? look.paint('selected', look.cut(value, room))
      : (input?.draw(room, look, isFocused) ?? '');
    return `${sign} ${isFocused ? look.paint('strong', label) : label}${text}`;
  }
}
