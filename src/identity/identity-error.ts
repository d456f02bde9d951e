/** Declares the error that the identity module throws. */

export type IdentityErrorCode =
  /** The key, user, group or project does not exist, or the key has expired. */
  | 'NotFound'
  /** The change contradicts existing keys, users, groups or projects. */
  | 'Conflict'
  /** A name or an e-mail address is not valid. */
  | 'BadRequest';

export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly code: IdentityErrorCode;
  /** The command or edit that resolves the problem. */
  readonly hint: string | undefined;

  constructor(code: IdentityErrorCode, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
