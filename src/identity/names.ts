/**
 * Checks the names of users, groups, projects and customers, and creates the random parts of keys.
 */

import { randomBytes } from 'node:crypto';

import { principalId, type UserNames } from '../base/principal.ts';
import { IdentityError } from './identity-error.ts';

/** 240 bits as 40 characters of base64url. */
const SECRET_BYTES = 30;
/** 40 bits, so that two of a user's few keys practically never get the same id. */
const WORD_BYTES = 5;

const MAX_NAME_CHARACTERS = 64;
/** The longest address that mail servers accept (RFC 5321). */
const MAX_EMAIL_CHARACTERS = 254;

/**
 * Characters that no name may contain. A comma ends the credential in an `Authorization` header, a control character ends
 * the header, and many tools cannot sign with a space. With invisible characters (direction marks, zero-width joiners) two
 * different names would look the same.
 */
const NEVER = /[,\s\p{Cc}\p{Cf}\p{Cs}]/u;

/** The end of the user part in the id of a further key. A user name must not end like this. */
const FURTHER_KEY = /\+[0-9a-f]{10}$/;

/** A customer name contains no `@`, so the last `@` of `project:user@customer` ends the user name. */
const CUSTOMER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const EMAIL = /^[^\s@<>",;\p{Cc}\p{Cs}]+@[^\s@<>",;\p{Cc}\p{Cs}]+$/u;

interface Names {
  readonly user?: string;
  readonly group?: string;
  readonly project?: string;
  readonly customer?: string;
}

/**
 * Throws IdentityError `BadRequest` for a name of the wrong length, and for a name that would make
 * a key id ambiguous, that some tools cannot sign with, or that could look like another name.
 */
export function checkNames({ user, group, project, customer }: Names): void {
  for (const [what, name] of Object.entries({ user, group, project })) {
    if (name !== undefined) checkName(what, name);
  }
  // The first colon of an id ends the project name, so `a:b:c@d` can only mean user `b:c` of
  // project `a`.
  if (project?.includes(':')) throw refused('project', project, 'it must not contain a colon');
  if (user !== undefined && FURTHER_KEY.test(user)) {
    throw refused('user', user, 'it must not end like the id of a further access key');
  }
  if (customer !== undefined && !CUSTOMER.test(customer)) {
    const rule = `it must have 1 to ${MAX_NAME_CHARACTERS} Latin letters, digits, dots, hyphens or underscores`;
    throw refused('customer', customer, `${rule}, and start with a letter or digit`);
  }
}

function checkName(what: string, name: string): void {
  const isComposed = name === name.normalize('NFC');
  if (name.length >= 1 && name.length <= MAX_NAME_CHARACTERS && isComposed && !NEVER.test(name)) {
    return;
  }
  throw refused(
    what,
    name,
    `it must have 1 to ${MAX_NAME_CHARACTERS} characters in Unicode form NFC, without spaces, commas or invisible characters`,
  );
}

/** Throws IdentityError `BadRequest` for a value that is not an e-mail address. */
export function checkEmail(email: string): void {
  if (email.length <= MAX_EMAIL_CHARACTERS && EMAIL.test(email)) return;
  throw refused('e-mail', email, 'it must have the form name@domain');
}

function refused(what: string, name: string, reason: string): IdentityError {
  return new IdentityError('BadRequest', `invalid ${what} ${JSON.stringify(name)}: ${reason}`);
}

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * Returns a new id for a further key: the id of the user with a random word, as in an e-mail
 * address `user+word@domain`.
 */
export function furtherKeyId(names: UserNames): string {
  const word = randomBytes(WORD_BYTES).toString('hex');
  return principalId({ ...names, user: `${names.user}+${word}` });
}
