/**
 * Writes the log file `holdfast.log` and rotates it to `holdfast.log.1` (the newest), `.2` and so on. A full disk does
 * not stop the daemon. Lost lines are counted and reported.
 */

import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';

import { failureReason } from '../../src/base/disk-error.ts';
import { errorCode } from '../../src/base/errors.ts';

/**
 * The maximum size of a log file. It is enough for several weeks of a typical daemon. Together with the rotated files,
 * the log has at most 100 MB.
 */
const MAX_FILE_BYTES = 16 * 1024 ** 2;
const KEPT_FILES = 5;
/** How much of the log of earlier processes `earlierLines` reads. */
const MAX_EARLIER_BYTES = 1024 ** 2;

/** A number that is not a valid file descriptor, so that each write fails. */
const CLOSED = -1;

export class LogFile {
  readonly #path: string;
  readonly #maxBytes: number;
  #fd: number;
  #bytes: number;
  #rotateAtBytes: number;
  /** The size of the file before this process wrote to it. */
  readonly #earlierBytes: number;
  #isRotated = false;
  #lostLines = 0;
  #reason = '';

  /** Opens the file, or creates it with mode 0600. A file that is already full is rotated before the first line. */
  constructor(path: string, maxBytes = MAX_FILE_BYTES) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#fd = openSync(path, 'a+', 0o600);
    this.#bytes = fstatSync(this.#fd).size;
    this.#earlierBytes = this.#bytes;
    this.#rotateAtBytes = maxBytes;
  }

  /** Writes one line, which must end with a line feed. Never throws. */
  write(line: string): void {
    if (this.#bytes >= this.#rotateAtBytes) this.#rotate();
    try {
      this.#append(this.#lostLines === 0 ? line : this.#apology() + line);
      this.#lostLines = 0;
    } catch (error) {
      this.#lostLines += 1;
      this.#reason = failureReason(error);
    }
  }

  /** Returns why lines are being lost. Returns undefined if the latest line was written. */
  problem(): string | undefined {
    if (this.#lostLines === 0) return undefined;
    return `cannot write the log ${this.#path}: ${this.#reason}; ${this.#lostLines} lines lost so far`;
  }

  /**
   * Returns the last lines that earlier processes wrote, at most 1 MiB. Returns no lines if they are in a rotated file.
   */
  earlierLines(): string[] {
    if (this.#isRotated) return [];
    const position = Math.max(0, this.#earlierBytes - MAX_EARLIER_BYTES);
    const bytes = Buffer.alloc(this.#earlierBytes - position);
    const bytesRead = readSync(this.#fd, bytes, { position });
    const lines = bytes.toString('utf8', 0, bytesRead).split('\n').filter(Boolean);
    return position === 0 ? lines : lines.slice(1);
  }

  /**
   * Closes the file. Lines that are logged later are lost. They must not be written to another file that got the same
   * descriptor.
   */
  close(): void {
    closeSync(this.#fd);
    this.#fd = CLOSED;
  }

  /**
   * Rotates the log. Creates the new file before it renames the old one. If rotation fails, lines are still written to
   * the old file, regardless of its current name. The next attempt follows after another `#maxBytes` bytes.
   */
  #rotate(): void {
    const next = `${this.#path}.next`;
    try {
      rmSync(next, { force: true });
      const fd = openSync(next, 'ax', 0o600);
      try {
        for (let age = KEPT_FILES; age > 1; age--) renameOld(this.#old(age - 1), this.#old(age));
        renameOld(this.#path, this.#old(1));
        renameSync(next, this.#path);
      } catch (error) {
        closeSync(fd);
        throw error;
      }
      closeSync(this.#fd);
      this.#fd = fd;
      this.#isRotated = true;
      this.#bytes = 0;
      this.#rotateAtBytes = this.#maxBytes;
    } catch (error) {
      this.#rotateAtBytes = this.#bytes + this.#maxBytes;
      this.write(warning(`cannot rotate the log ${this.#path}: ${failureReason(error)}`));
    }
  }

  #old(age: number): string {
    return `${this.#path}.${age}`;
  }

  /** Returns a warning about lost lines. It starts with a line feed, because the latest line may be incomplete. */
  #apology(): string {
    return `\n${warning(this.problem() ?? '', { lostLines: this.#lostLines })}`;
  }

  #append(text: string): void {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.byteLength;) {
      const written = writeSync(this.#fd, bytes, done);
      done += written;
      this.#bytes += written;
    }
  }
}

/** Returns a warning in pino's line format. */
function warning(msg: string, fields: object = {}): string {
  return `${JSON.stringify({ level: 'warn', ...fields, msg })}\n`;
}

/** Renames a file. Does nothing if the file does not exist. */
function renameOld(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
