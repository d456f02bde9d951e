/**
 * Reads answers to questions from a terminal or, line by line, from a script. With `--yes`, uses the default
 * answers.
 */

import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';

import { Help } from 'commander';

import { ControlError, isControlError } from '../../control/control-error.ts';
import { resumeAfterStop, stopped } from '../output/ask.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import type { Io } from '../output/output.ts';
import { messageText, visible } from '../output/text.ts';

export interface Question {
  /** The text of the prompt without a colon, such as `Folder`. */
  readonly text: string;
  /** The explanation to print above the prompt on a terminal: paragraphs, and items with one explanation each. */
  readonly explained?: readonly (Item | string)[];
  /** The default answer. Absent if the user must answer. */
  readonly proposed?: string;
  /** The option that replaces the question, such as `--to`. Used in error messages. */
  readonly option: string;
  readonly isSecret?: boolean;
  /** Returns the completions of the text typed so far, for the Tab key. */
  readonly complete?: (typed: string) => readonly string[];
}

export type Item = readonly [term: string, explanation: string];

/** Converts a valid answer. Throws or rejects with an error that describes an invalid answer. */
type Check<T> = (answer: string) => T | Promise<T>;

interface AnswerOptions {
  /** Whether each question gets its default answer. */
  readonly yes: boolean;
  /** The start of error messages, such as `init`. */
  readonly command: string;
  /** A text to append to the hint if a question has no answer. */
  readonly hint?: string;
}

interface Reader {
  readonly source: Interface;
  readonly lines: AsyncIterator<string>;
}

/** The maximum time between the bytes of a key that starts with Escape. It is long enough for a slow connection. */
const ESCAPE_MS = 100;

export class Answers {
  readonly #io: Io;
  readonly #options: AnswerOptions;
  readonly #takesProposals: boolean;
  readonly #isTerminal: boolean;
  #isMuted = false;
  #complete: Question['complete'];
  #reader: Reader | undefined;

  constructor(io: Io, options: AnswerOptions) {
    this.#io = io;
    this.#options = options;
    this.#takesProposals = options.yes;
    this.#isTerminal = io.stderr.isTTY === true && 'isTTY' in io.stdin && io.stdin.isTTY === true;
  }

  /**
   * Asks the question and returns the converted answer. On a terminal without `--yes`, asks again after an invalid
   * answer. Otherwise rejects with the error of `check`.
   */
  async ask<T>(question: Question, check: Check<T>): Promise<T> {
    for (let asked = question; ; asked = { ...question, explained: [] }) {
      const answer = await this.#answer(asked);
      try {
        return await check(answer);
      } catch (error) {
        if (!this.#isTerminal || this.#takesProposals || !(error instanceof Error)) throw error;
        // If the daemon has disconnected, no further answer can be checked, so the question is not asked again.
        if (isControlError(error, 'Disconnected')) throw error;
        this.#say(`  ${messageText(error.message)}\n`);
        const isKnown = error instanceof CommandError || error instanceof ControlError;
        if (isKnown && error.hint) this.#say(`  ${visible(error.hint)}\n`);
      }
    }
  }

  /** Asks a question that the user answers with `yes` or `no`. The text has no question mark. */
  askYes({ text, ...question }: Question): Promise<boolean> {
    return this.ask({ ...question, text: `${text}? (y/n)` }, (answer) => {
      if (/^(?:y(?:es)?|no?)$/i.test(answer)) return /^y/i.test(answer);
      throw usageError(`"${answer}" is neither yes nor no`);
    });
  }

  /** Stops reading standard input until the next question. */
  close(): void {
    this.#reader?.source.close();
    this.#reader = undefined;
  }

  async #answer(question: Question): Promise<string> {
    const { text, explained = [], proposed, option, isSecret = false } = question;
    if (this.#takesProposals) {
      if (proposed !== undefined) return proposed;
      throw usageError(`--yes has no default for "${text}"`, `use ${option}`);
    }
    this.#complete = question.complete;
    this.#isMuted = isSecret;
    // From here on, Ctrl-C is read as a key, so that it ends the questions instead of the process.
    const { lines, source } = (this.#reader ??= this.#read());
    if (this.#isTerminal) {
      const hint = proposed === undefined ? '' : ` [${proposed}]`;
      const prompt = `${text}${hint}: `;
      // readline needs the prompt to draw the line again, for example after Backspace.
      source.setPrompt(prompt);
      this.#say(`${explainedText(explained, this.#io.stderr.columns)}${prompt}`);
    }
    const line = await lines.next();
    if (isSecret && this.#isTerminal) this.#say('\n');
    if (!line.done && line.value.trim() !== '') return line.value.trim();
    if (!line.done && proposed !== undefined) return proposed;
    if (!line.done && this.#isTerminal) {
      this.#say('  this needs an answer; Ctrl-C ends, and nothing is written\n');
      return this.#answer({ ...question, explained: [] });
    }
    if (this.#isTerminal) {
      this.#say('\n');
      throw stopped();
    }
    const { command, hint = '' } = this.#options;
    throw usageError(
      `${command}: standard input has no answer to "${text}"`,
      `run it on a terminal, or give ${option}${hint}`,
    );
  }

  /** Starts to read lines from standard input. On a terminal, readline echoes them, except for secrets. */
  #read(): Reader {
    const { stdin: input, stderr } = this.#io;
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (!this.#isMuted) stderr.write(chunk);
        done();
      },
    });
    // The history is disabled, so that the arrow keys cannot show a secret again.
    const source = createInterface({
      input,
      output,
      terminal: this.#isTerminal,
      historySize: 0,
      // Node continues to use this timeout for screens that read keys after the questions. It is short because Escape
      // must act quickly on these screens.
      escapeCodeTimeout: ESCAPE_MS,
      completer: (typed: string) => [this.#complete?.(typed) ?? [], typed],
    });
    // Text that is typed before its question appears may be a secret, so it is not echoed.
    source.on('line', () => (this.#isMuted = true));
    resumeAfterStop(source);
    return { source, lines: source[Symbol.asyncIterator]() };
  }

  #say(text: string): void {
    this.#io.stderr.write(text);
  }
}

/** The maximum width of the text. Wider text is hard to read. */
const MAX_COLUMNS = 100;

/** Returns the paragraphs and items as lines that fit the terminal, with an empty line before them. */
export function explainedText(explained: readonly (Item | string)[], columns = 80): string {
  if (explained.length === 0) return '';
  const help = new Help();
  help.helpWidth = Math.min(columns, MAX_COLUMNS);
  const width = Math.max(
    0,
    ...explained.map((each) => (typeof each === 'string' ? 0 : each[0].length)),
  );
  const lines = explained.map((each) =>
    typeof each === 'string'
      ? help.boxWrap(each, help.helpWidth ?? columns)
      : help.formatItem(each[0], width, each[1], help),
  );
  return `\n${lines.join('\n')}\n`;
}
