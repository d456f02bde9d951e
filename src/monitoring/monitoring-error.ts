/** Declares the error that the monitoring module throws. */

export type MonitoringErrorCode =
  /** The bucket or the alarm does not exist. */
  | 'NotFound'
  /**
   * The state of the alarm or of its bucket does not permit the request, or the name of the alarm is already in
   * use.
   */
  | 'Conflict'
  /** The alarm or the query is invalid. */
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
