/** The log's file. A disk that is full must not end the daemon: lines that do not fit are counted, and that is said. */

import { closeSync, openSync, writeSync } from 'node:fs';

import { errorMessage } from '../src/base/errors.ts';

export class LogFile {
  readonly #path: string;
  readonly #fd: number;
  #lostLines = 0;
  #reason = '';

  /** For its owner only (0600). */
  constructor(path: string) {
    this.#path = path;
    this.#fd = openSync(path, 'a', 0o600);
  }

  /** One line with its line feed. Never throws. */
  write(line: string): void {
    try {
      this.#append(this.#lostLines === 0 ? line : this.#apology() + line);
      this.#lostLines = 0;
    } catch (error) {
      this.#lostLines += 1;
      this.#reason = errorMessage(error);
    }
  }

  /** Why lines are being lost; undefined while all is well. */
  problem(): string | undefined {
    if (this.#lostLines === 0) return undefined;
    return `write log ${this.#path}: ${this.#reason}; ${this.#lostLines} lines lost so far`;
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Begins with a line feed: the last line may have been cut in the middle. */
  #apology(): string {
    return `\n${JSON.stringify({ level: 40, lostLines: this.#lostLines, msg: this.problem() })}\n`;
  }

  #append(text: string): void {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.byteLength;) done += writeSync(this.#fd, bytes, done);
  }
}
