/** The error of the monitoring room. */

export type MonitoringErrorCode =
  /** There is no such bucket or alarm. */
  | 'NotFound'
  /** What is there does not allow it: a name that is taken, an alarm that is asleep. */
  | 'Conflict'
  /** What no alarm, or no question about a series, can be made of. */
  | 'BadRequest';

export class MonitoringError extends Error {
  override readonly name = 'MonitoringError';
  readonly code: MonitoringErrorCode;
  /** What the user can do about it. */
  readonly hint: string | undefined;

  constructor(code: MonitoringErrorCode, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
