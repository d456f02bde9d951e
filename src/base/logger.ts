/** Defines the log interface of all modules. The daemon passes a pino logger; tests pass `silentLogger`. */

export type LogFields = Readonly<Record<string, unknown>>;

/** Never log a secret, a customer key or an Authorization header, because all fields are written unchanged. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

const ignore = (): void => undefined;

export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
