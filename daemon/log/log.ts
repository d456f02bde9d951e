/**
 * Opens the daemon's log: a file with pino's JSON lines. The newest lines are also kept in memory for `holdfast log`.
 */

import { Writable } from 'node:stream';

import { multistream, pino, type Logger as PinoLogger } from 'pino';

import type { LogFields, Logger } from '../../src/base/logger.ts';
import type { Config, LogArea, LogLevel } from '../../src/config/config.ts';
import { LogFile } from './log-file.ts';
import { inSources } from './source-places.ts';

/** The number of lines in memory. It fills many screens. Older lines are only in the file. */
const KEPT_LINES = 10_000;

/**
 * Secrets must not be logged. The logger masks the fields with these names, in case an object with a secret is logged
 * by mistake.
 */
const SECRET_NAMES = ['secretAccessKey', 'sessionToken', 'secret', 'authorization', 'signature'];
const SECRETS = ['', '*.', '*.*.'].flatMap((above) => SECRET_NAMES.map((name) => above + name));

export interface DaemonLog extends AreaLogger {
  /** Returns the newest `count` lines, oldest first. Includes lines of earlier processes. */
  tail(count: number): string[];
  /** Returns why lines are not being written to the file, or undefined if they are. */
  problem(): string | undefined;
  /** Closes the file. No lines may be logged afterwards. */
  close(): void;
}

/**
 * A logger with a child logger for each area of the daemon. Each line names its area, and each area can have its own
 * level.
 */
export interface AreaLogger extends Logger {
  area(name: LogArea): Logger;
}

export interface DaemonLogOptions {
  readonly file: string;
  readonly level: LogLevel;
  readonly levels?: Config['logLevels'];
  /** Called with each line when it is written. */
  readonly onLine: (line: string) => void;
}

export function openLog(options: DaemonLogOptions): DaemonLog {
  const file = new LogFile(options.file);
  const kept: string[] = [];
  const memory = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const line = chunk.toString().trimEnd();
      kept.push(line);
      if (kept.length > KEPT_LINES) kept.shift();
      options.onLine(line);
      done();
    },
  });
  const { level, levels = {} } = options;
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS, censor: '***' },
      serializers: { stack: stackInSources, err: errorInSources },
    },
    multistream([
      // The child loggers of the areas have already filtered by level.
      { level: 'debug', stream: file },
      { level: 'debug', stream: memory },
    ]),
  );
  return {
    ...asLogger(log.child({ area: 'daemon' }, { level: levels.daemon ?? level })),
    area: (area) => asLogger(log.child({ area }, { level: levels[area] ?? level })),
    tail: (count) => {
      const missing = count - kept.length;
      if (missing <= 0) return count === 0 ? [] : kept.slice(-count);
      return [...file.earlierLines().slice(-missing), ...kept];
    },
    problem: () => file.problem(),
    close: () => file.close(),
  };
}

function stackInSources(stack: unknown): string {
  return inSources(String(stack));
}

function errorInSources(error: Error): object {
  const serialized = pino.stdSerializers.err(error);
  return { ...serialized, stack: stackInSources(serialized.stack) };
}

function asLogger(log: Pick<PinoLogger, LogLevel>): Logger {
  const at =
    (name: LogLevel) =>
    (fields: LogFields, message: string): void =>
      log[name](fields, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
