/** Defines the error class of the identity module. */

export type IdentityErrorCode =
  /** The access key, user, group or project does not exist, or the access key has expired. */
  | 'NotFound'
  /** The change conflicts with existing access keys, users, groups or projects. */
  | 'Conflict'
  /** A name or an email address is not valid. */
  | 'BadRequest';

export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly code: IdentityErrorCode;
  /** A command or an edit that resolves the problem. */
  readonly hint: string | undefined;

  constructor(code: IdentityErrorCode, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
