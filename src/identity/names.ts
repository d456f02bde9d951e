/** The names that keys are made of, and what of a key is random. */

import { randomBytes } from 'node:crypto';

import { principalId, type UserPrincipal } from '../base/principal.ts';
import type { KeyHolder } from './identity.ts';
import { IdentityError } from './identity-error.ts';

/** 240 bits as 40 characters of base64url. */
const SECRET_BYTES = 30;
/** 40 bits: of one user's few keys no two are the same. */
const WORD_BYTES = 5;

const MAX_NAME_CHARACTERS = 64;

/** A comma ends the credential in an `Authorization` header, and a control character ends the header. */
const NEVER = /[,\p{Cc}\p{Cs}]|^\s|\s$/u;

/** Throws IdentityError `BadRequest` for names whose key no tool could sign with. */
export function checkNames({ user, project }: KeyHolder): void {
  for (const [what, name] of Object.entries({ user, project })) {
    const fits = name.length >= 1 && name.length <= MAX_NAME_CHARACTERS && !NEVER.test(name);
    if (fits) continue;
    throw new IdentityError(
      'BadRequest',
      `name ${what} ${JSON.stringify(name)}: a name has 1 to ${MAX_NAME_CHARACTERS} characters, ` +
        'no comma, no control character and no blank at its ends',
    );
  }
  // `a:b:c@d` must be one user's id only: the first colon ends the project.
  if (project.includes(':')) {
    throw new IdentityError('BadRequest', `name project "${project}": it may not hold a colon`);
  }
}

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** A user's first key has the plain id; all others a random word in it, as mail addresses have them. */
export function furtherKeyId(principal: UserPrincipal): string {
  const word = randomBytes(WORD_BYTES).toString('hex');
  return principalId({ ...principal, user: `${principal.user}+${word}` });
}
