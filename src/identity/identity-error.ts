/** The error of the identity room. */

export type IdentityErrorCode =
  /** There is no such key, or it has ended. */
  | 'NotFound'
  /** The keys that are there do not allow it. */
  | 'Conflict'
  /** A name that no key can be made of. */
  | 'BadRequest';

export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  readonly code: IdentityErrorCode;
  /** What the user can do about it. */
  readonly hint: string | undefined;

  constructor(code: IdentityErrorCode, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
