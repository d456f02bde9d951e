/**
 * Runs the journeys in a terminal of 80 columns with a dark theme, with a light theme and with
 * NO_COLOR. Writes the commands and their output to `docs/start/journeys.md`, and draws pictures of
 * the terminal.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { errorMessage } from '../../src/base/errors.ts';
import { until } from '../helpers/until.ts';
import { journeyPage } from './journey-page.ts';
import type { Taken } from './journey-page.ts';
import { JourneyShell, whyNoNamespaces } from './journey-shell.ts';
import type { ShownLine } from './journey-shell.ts';
import { JOURNEYS } from './journeys.ts';
import type { Journey, Step, World } from './journeys.ts';
import { paletteOf } from './palettes.ts';
import { stable } from './stable-text.ts';
import { faintTexts, svgOf } from './svg.ts';

const PAGE = join(import.meta.dirname, '../../docs/start/journeys.md');

/** Themes, each with the environment variables by which programs detect it. */
const THEMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  dark: { COLORFGBG: '15;0' },
  light: { COLORFGBG: '0;15' },
  mono: { NO_COLOR: '1' },
};

/**
 * Minimum contrast of text in the sixteen colours of a terminal. It is low, because the user
 * chooses these colours.
 */
const LEAST_CONTRAST = 3;

const DAY_MS = 86_400_000;
const START_MS = 9 * 3_600_000;
const STEP_MS = 5 * 60_000;
const READING_MS = 150;

export async function runJourneys(
  folder: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const missing = whyNoNamespaces();
  if (missing !== undefined) throw new Error(missing);
  mkdirSync(folder, { recursive: true });
  const journeys = JOURNEYS.filter(({ name }) => names.some((part) => name.includes(part)));
  const pages = new Map<string, string>();
  const faults: string[] = [];
  for (const [theme, env] of Object.entries(THEMES)) {
    const taken: Taken[] = [];
    for (const journey of journeys) {
      const run = new JourneyRun(journey, theme, env);
      taken.push({ journey, steps: await run.take() });
      run.draw(folder);
      faults.push(...run.faults);
      process.stdout.write(`${journey.name} ${theme}\n`);
    }
    pages.set(theme, journeyPage(taken));
    writeFileSync(join(folder, `journeys-${theme}.md`), pages.get(theme) ?? '');
  }
  const [dark = '', ...others] = pages.values();
  for (const [index, other] of others.entries())
    if (other !== dark) faults.push(...differences(dark, other, Object.keys(THEMES)[index + 1]));
  if (journeys.length === JOURNEYS.length && faults.length === 0) writeFileSync(PAGE, dark);
  return faults;
}

class JourneyRun {
  readonly faults: string[] = [];
  readonly #journey: Journey;
  readonly #theme: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'hf-'));
  readonly #shell: JourneyShell;
  readonly #world: World;
  readonly #dayOne = Math.floor(systemClock.now() / DAY_MS) * DAY_MS + DAY_MS;
  #now = this.#dayOne + START_MS;
  #lines: readonly ShownLine[] = [];
  #screens: ReturnType<JourneyShell['cells']>[] = [];

  constructor(journey: Journey, theme: string, env: Readonly<Record<string, string>>) {
    this.#journey = journey;
    this.#theme = theme;
    const { hasService = false } = journey;
    this.#shell = new JourneyShell({ folder: this.#folder, env, hasService });
    const { home } = this.#shell;
    this.#world = {
      home,
      secret: () => this.#service().secretAccessKey,
      kill: (command) => this.#shell.kill(command),
      remembered: new Map(),
    };
    journey.setUp(home);
  }

  /**
   * Performs all steps. Returns the output of each step, with times that are the same in each run.
   */
  async take(): Promise<readonly string[]> {
    const taken: string[] = [];
    try {
      await this.#shell.prompt(0);
      if (this.#journey.hasService) await until(() => this.#hasService(), Boolean);
      const from = this.#shell.line;
      for (const step of this.#journey.steps) taken.push(await this.#takeStep(step));
      this.#lines = this.#shell.linesFrom(from).slice(0, -1);
    } catch (error) {
      this.#fault(errorMessage(error));
    } finally {
      await this.#shell.close();
      rmSync(this.#folder, { recursive: true, force: true });
    }
    return taken;
  }

  draw(folder: string): void {
    const palette = paletteOf(this.#theme);
    const pictures = [this.#lines.map(({ cells }) => cells), ...this.#screens];
    for (const [index, cells] of pictures.entries()) {
      const name = `journey-${this.#journey.name}${index > 0 ? `-screen-${index}` : ''}-${this.#theme}`;
      writeFileSync(join(folder, `${name}.svg`), svgOf(cells, palette));
      for (const [text, contrast] of faintTexts(cells, palette, LEAST_CONTRAST))
        this.#fault(`contrast ${contrast.toFixed(1)}: ${text}`);
    }
    const coloured = this.#lines.filter(({ cells }) => cells.some(({ foreground }) => foreground));
    if (this.#theme === 'mono' && coloured.length > 0)
      this.#fault(`colours are used although NO_COLOR is set: ${coloured[0]?.text}`);
  }

  async #takeStep(step: Step): Promise<string> {
    try {
      return await this.#take(step);
    } catch (error) {
      throw new Error(`${step.types}: ${errorMessage(error)}`, { cause: error });
    }
  }

  async #take(step: Step): Promise<string> {
    this.#pass(step.daysLater ?? 0);
    await step.before?.(this.#world);
    const [from, prompts] = [this.#shell.line, this.#shell.prompts];
    this.#shell.type(`${step.types}\r`);
    for (const [question, answer] of step.answers ?? []) await this.#answer(step, question, answer);
    const exitCode = await this.#shell.prompt(prompts);
    const lines = this.#shell.linesFrom(from).slice(0, -1);
    this.#check(step, lines, exitCode);
    try {
      step.after?.(this.#world);
    } catch (error) {
      this.#fault(`${step.types}: ${errorMessage(error)}`);
    }
    return stable(joined(lines), this.#dayOne);
  }

  async #answer(
    { isDashboard }: Step,
    question: string | RegExp,
    answer: string | ((world: World) => string),
  ): Promise<void> {
    await this.#shell.waitForLast(question);
    if (isDashboard) this.#screens.push(this.#shell.cells());
    const text = typeof answer === 'string' ? answer : answer(this.#world);
    // Waits as long as a user needs to read the question. Text that is typed before the program
    // reads keys would be shown twice.
    await systemClock.sleep(READING_MS);
    this.#shell.type(isDashboard ? text : `${text}\r`);
  }

  #check(step: Step, lines: readonly ShownLine[], exitCode: number): void {
    const text = joined(lines);
    const at = `${step.types}: `;
    for (const wanted of step.shows) {
      const isThere = typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
      if (!isThere) this.#fault(`${at}no ${String(wanted)} in\n${text}`);
    }
    if (exitCode !== (step.exits ?? 0)) this.#fault(`${at}exit code ${exitCode}\n${text}`);
    // The first lines are the command that the user typed, so they are removed.
    const output = lines.slice(lines.findIndex(({ isWrapped }, index) => index > 0 && !isWrapped));
    for (const line of output)
      if (line.isWrapped) this.#fault(`${at}wider than the terminal: …${line.text}`);
  }

  /**
   * Lets time pass for all programs. The next step starts at a full minute, so that its times are
   * the same in each run.
   */
  #pass(days: number): void {
    this.#now += days * DAY_MS + STEP_MS;
    this.#shell.setClock(this.#now - systemClock.now());
  }

  #hasService(): boolean {
    try {
      return this.#service().secretAccessKey !== '';
    } catch {
      return false;
    }
  }

  #service(): { readonly secretAccessKey: string } {
    return JSON.parse(readFileSync(join(this.#folder, 'service.key'), 'utf8'));
  }

  #fault(text: string): void {
    this.faults.push(`${this.#journey.name} ${this.#theme}: ${text}`);
  }
}

function joined(lines: readonly ShownLine[]): string {
  return lines
    .map(({ text, isWrapped }, index) => `${index === 0 || isWrapped ? '' : '\n'}${text}`)
    .join('')
    .replaceAll(/ +$/gm, '');
}

/** Returns the first lines that differ between two outputs. */
function differences(one: string, other: string, theme = ''): readonly string[] {
  const [ones, others] = [one.split('\n'), other.split('\n')];
  const at = others.findIndex((line, index) => line !== ones[index]);
  return [`dark and ${theme} differ:\n  ${ones[at]}\n  ${others[at]}`];
}
