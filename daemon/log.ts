/** The daemon's log: JSON lines in a file (pino, 0600), the newest of them in memory for `holdfast log`. */

import { Writable } from 'node:stream';

import { multistream, pino, type Logger as PinoLogger } from 'pino';

import type { LogFields, Logger } from '../src/base/logger.ts';
import type { Config, LogArea, LogLevel } from '../src/config/config.ts';
import { LogFile } from './log-file.ts';
import { inSources } from './source-places.ts';

/** Enough for a screenful many times over; the file has the rest. */
const KEPT_LINES = 10_000;

/** Nobody is to log one. This is for the day on which somebody logs an object that holds one. */
const SECRET_NAMES = ['secretAccessKey', 'sessionToken', 'secret', 'authorization', 'signature'];
const SECRETS = ['', '*.', '*.*.'].flatMap((above) => SECRET_NAMES.map((name) => above + name));

export interface DaemonLog extends AreaLogger {
  /** Returns the newest `count` lines, oldest first, also those of earlier processes. */
  tail(count: number): string[];
  /** Why lines do not reach the file; undefined while they do. */
  problem(): string | undefined;
  /** Nothing may be logged after it. */
  close(): void;
}

/** Lines of single areas say so, and have levels of their own. */
export interface AreaLogger extends Logger {
  area(name: LogArea): Logger;
}

export interface DaemonLogOptions {
  readonly file: string;
  readonly level: LogLevel;
  readonly levels?: Config['logLevels'];
  /** Called with each line as it is written. */
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
      // Each area has decided by then.
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
  const told = pino.stdSerializers.err(error);
  return { ...told, stack: stackInSources(told.stack) };
}

function asLogger(log: Pick<PinoLogger, LogLevel>): Logger {
  const at =
    (name: LogLevel) =>
    (fields: LogFields, message: string): void =>
      log[name](fields, message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
