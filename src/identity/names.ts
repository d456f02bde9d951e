/** The names that keys are made of, and what of a key is random. */

import { randomBytes } from 'node:crypto';

import { principalId, type UserNames } from '../base/principal.ts';
import { IdentityError } from './identity-error.ts';

/** 240 bits as 40 characters of base64url. */
const SECRET_BYTES = 30;
/** 40 bits: of one user's few keys no two are the same. */
const WORD_BYTES = 5;

const MAX_NAME_CHARACTERS = 64;
/** As long as an address can be that a mail server takes (RFC 5321). */
const MAX_EMAIL_CHARACTERS = 254;

/**
 * A comma ends the credential in an `Authorization` header, a control character ends the header, and many tools cannot
 * sign with a space. Invisible characters (marks of direction, joiners of width zero) would make two names of one.
 */
const NEVER = /[,\s\p{Cc}\p{Cf}\p{Cs}]/u;

/** What the id of a further key looks like: it must not be a user's own. */
const FURTHER_KEY = /\+[0-9a-f]{10}$/;

/** Letters, digits, dot, hyphen, underscore: `project:user@customer` is read from both of its ends. */
const CUSTOMER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const EMAIL = /^[^\s@<>",;\p{Cc}\p{Cs}]+@[^\s@<>",;\p{Cc}\p{Cs}]+$/u;

interface Names {
  readonly user?: string;
  readonly group?: string;
  readonly project?: string;
  readonly customer?: string;
}

/** Throws IdentityError `BadRequest` for names whose key no tool could sign with, or that no id could be made of. */
export function checkNames({ user, group, project, customer }: Names): void {
  for (const [what, name] of Object.entries({ user, group, project })) {
    if (name !== undefined) checkName(what, name);
  }
  // `a:b:c@d` must be one user's id only: the first colon ends the project.
  if (project?.includes(':')) throw refused('project', project, 'it may not hold a colon');
  if (user !== undefined && FURTHER_KEY.test(user)) {
    throw refused('user', user, 'its end looks like that of a further access key');
  }
  if (customer !== undefined && !CUSTOMER.test(customer)) {
    const rule = `it has 1 to ${MAX_NAME_CHARACTERS} Latin letters, digits, dots, hyphens or underscores`;
    throw refused('customer', customer, `${rule}, and starts with a letter or digit`);
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
    `a name has 1 to ${MAX_NAME_CHARACTERS} characters, no space, no comma, nothing invisible, and accents within their letters (NFC)`,
  );
}

/** Throws IdentityError `BadRequest` for what is no address. */
export function checkEmail(email: string): void {
  if (email.length <= MAX_EMAIL_CHARACTERS && EMAIL.test(email)) return;
  throw refused('e-mail', email, 'it is not of the form name@domain');
}

function refused(what: string, name: string, reason: string): IdentityError {
  return new IdentityError('BadRequest', `name ${what} ${JSON.stringify(name)}: ${reason}`);
}

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** A user's first key has the plain id; all others a random word in it, as mail addresses have them. */
export function furtherKeyId(names: UserNames): string {
  const word = randomBytes(WORD_BYTES).toString('hex');
  return principalId({ ...names, user: `${names.user}+${word}` });
}
