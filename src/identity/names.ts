/** Validates the names of users, groups, projects and customers, and creates the random parts of access keys. */

import { randomBytes } from 'node:crypto';

import { principalId, type UserNames } from '../base/principal.ts';
import { IdentityError } from './identity-error.ts';

/** The size of a secret: 240 bits, which are 40 characters of base64url. */
const SECRET_BYTES = 30;
/**
 * The size of the random word in an access key ID: 40 bits, so that two keys of a user practically never get the same
 * ID.
 */
const WORD_BYTES = 5;

const MAX_NAME_CHARACTERS = 64;
/** The maximum length of an email address, the longest that mail servers accept (RFC 5321). */
const MAX_EMAIL_CHARACTERS = 254;

/**
 * The characters that names must not contain. A comma ends the credential in an `Authorization` header, a control
 * character ends the header, and many clients cannot sign a name with a space. With invisible characters (direction
 * marks, zero-width joiners), two different names could look the same.
 */
const NEVER = /[,\s\p{Cc}\p{Cf}\p{Cs}]/u;

/**
 * Matches the random word that an additional access key has at the end of the user part of its ID. The name of a user
 * must not end like that.
 */
const FURTHER_KEY = /\+[0-9a-f]{10}$/;

/** Matches a customer name. It contains no `@`, so the last `@` in `project:user@customer` ends the user name. */
const CUSTOMER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const EMAIL = /^[^\s@<>",;\p{Cc}\p{Cs}]+@[^\s@<>",;\p{Cc}\p{Cs}]+$/u;

interface Names {
  readonly user?: string;
  readonly group?: string;
  readonly project?: string;
  readonly customer?: string;
}

/**
 * Throws IdentityError `BadRequest` for a name of invalid length. Also throws it for a name that would make an access
 * key ID ambiguous, with which some clients cannot sign, or that could look like another name.
 */
export function checkNames({ user, group, project, customer }: Names): void {
  for (const [what, name] of Object.entries({ user, group, project })) {
    if (name !== undefined) checkName(what, name);
  }
  // The first colon of an ID ends the project name, so `a:b:c@d` can only mean the user `b:c` of the project `a`.
  if (project?.includes(':')) throw refused('project', project, 'it must not contain a colon');
  if (user !== undefined && FURTHER_KEY.test(user)) {
    throw refused(
      'user',
      user,
      'it must not end in + and 10 hex digits, because ids of access keys end like that',
    );
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

/** Throws IdentityError `BadRequest` if the value is not an email address. */
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
 * Returns the ID of an additional access key: the user's ID with a random word, like an email address of the form
 * `user+word@domain`.
 */
export function furtherKeyId(names: UserNames): string {
  const word = randomBytes(WORD_BYTES).toString('hex');
  return principalId({ ...names, user: `${names.user}+${word}` });
}
