/** Defines the error that the monitoring module throws. */

export type MonitoringErrorCode =
  /** The bucket or the alarm does not exist. */
  | 'NotFound'
  /**
   * The request is not permitted in the current state of the alarm or bucket, or an alarm with this name already
   * exists.
   */
  | 'Conflict'
  /** The alarm definition or the query is invalid. */
  | 'BadRequest'
  /** The secret header file cannot be read or is invalid. */
  | 'Config';

export class MonitoringError extends Error {
  override readonly name = 'MonitoringError';
  readonly code: MonitoringErrorCode;
  /** The command or edit that fixes the problem. */
  readonly hint: string | undefined;

  constructor(code: MonitoringErrorCode, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
