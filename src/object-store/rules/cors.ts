/** CORS rules: which there may be, and which one a request falls under (specification, "CORS rule"; semantics B.9). */

import { CORS_METHODS, type CorsMethod, type CorsRule } from '../cors.ts';
import { StorageError } from '../storage-error.ts';
import { holdsControl, isHeaderName } from './header-value.ts';

const MAX_RULES = 100;
const MAX_ID_CHARACTERS = 255;
/** Of all rules together, as the protocol's own limit of their document: each preflight may go through all of them. */
const MAX_CHARACTERS = 64 * 1024;
/** Browsers keep the answer for a day at most; more digits than this are a mistake. */
const MAX_AGE_SECONDS = 2 ** 31 - 1;

/** A scheme, and a host with or without a port. A path is part of no origin. */
const ORIGIN = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[A-Za-z0-9._*-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9*]+)?$/;

/** Throws `InvalidRequest` for a value that cannot be, `MalformedXML` for rules without origins or methods. */
export function checkCorsRules(rules: readonly CorsRule[]): void {
  if (rules.length === 0) throw malformed('there must be a rule');
  if (rules.length > MAX_RULES) throw invalid(`there may be ${MAX_RULES} rules`);
  if (JSON.stringify(rules).length > MAX_CHARACTERS) {
    throw invalid(`the rules may have ${MAX_CHARACTERS} characters together`);
  }
  for (const rule of rules) checkRule(rule);
}

function checkRule(rule: CorsRule): void {
  const { id = '', allowedOrigins, allowedMethods, maxAgeSeconds = 0 } = rule;
  if (allowedOrigins.length === 0) throw malformed('a rule has no AllowedOrigin');
  if (allowedMethods.length === 0) throw malformed('a rule has no AllowedMethod');
  if (id.length > MAX_ID_CHARACTERS)
    throw invalid(`an ID may have ${MAX_ID_CHARACTERS} characters`);
  checkText('ID', id);
  for (const origin of allowedOrigins) checkOrigin(origin);
  for (const method of allowedMethods) {
    if (!CORS_METHODS.includes(method)) {
      throw invalid(`${quoted(method)} is none of the methods ${CORS_METHODS.join(', ')}`);
    }
  }
  for (const name of rule.allowedHeaders ?? []) checkHeader('AllowedHeader', name, 1);
  for (const name of rule.exposeHeaders ?? []) checkHeader('ExposeHeader', name, 0);
  if (Number.isInteger(maxAgeSeconds) && maxAgeSeconds >= 0 && maxAgeSeconds <= MAX_AGE_SECONDS) {
    return;
  }
  throw invalid(`MaxAgeSeconds must be a whole number from 0 to ${MAX_AGE_SECONDS}`);
}

function checkOrigin(origin: string): void {
  checkText('AllowedOrigin', origin);
  checkStars('AllowedOrigin', origin, 1);
  if (origin === '*' || ORIGIN.test(origin)) return;
  throw invalid(
    `AllowedOrigin ${quoted(origin)} is no origin: write *, https://HOST, https://HOST:PORT or https://*.DOMAIN`,
  );
}

function checkHeader(element: string, name: string, stars: 0 | 1): void {
  checkText(element, name);
  checkStars(element, name, stars);
  if (!isHeaderName(name)) throw invalid(`${element} ${quoted(name)} is no header's name`);
}

function checkStars(element: string, text: string, allowed: 0 | 1): void {
  if (text.split('*').length - 1 <= allowed) return;
  throw invalid(
    allowed === 0
      ? `${element} ${quoted(text)} must not contain a wildcard`
      : `${element} ${quoted(text)} can not have more than one wildcard`,
  );
}

/** Whatever is stored here may be sent in a header of an answer (CVE-2020-10753, CVE-2021-3524). */
function checkText(element: string, text: string): void {
  if (holdsControl(text)) throw invalid(`${element} must not contain control characters`);
  if (!text.isWellFormed()) throw invalid(`${element} is no well-formed Unicode`);
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

function invalid(reason: string): StorageError {
  return new StorageError('InvalidRequest', `set CORS: ${reason}`);
}

function malformed(reason: string): StorageError {
  return new StorageError('MalformedXML', `set CORS: ${reason}`);
}

export interface CorsQuestion {
  /** As the browser sent it. */
  readonly origin: string;
  readonly method: string;
  /** Those that a script wants to send, of a preflight. */
  readonly headers?: readonly string[];
}

/** What an answer tells the browser. */
export interface CorsGrant {
  /** `*` under a rule for any origin, and the asker's own under others. */
  readonly origin: string;
  /** Whether an answer to a request with cookies may be shown: never where any host is allowed (GHSA-x5xv). */
  readonly credentials: boolean;
  readonly methods: readonly CorsMethod[];
  readonly exposeHeaders: readonly string[];
  readonly maxAgeSeconds?: number;
}

/** By the first rule whose origins, methods and headers all match; undefined where none does. */
export function corsGrant(
  rules: readonly CorsRule[],
  { origin, method, headers = [] }: CorsQuestion,
): CorsGrant | undefined {
  for (const rule of rules) {
    const { allowedOrigins, allowedMethods, allowedHeaders = [] } = rule;
    const matching = allowedOrigins.filter((each) => matches(each, origin));
    if (matching.length === 0 || !allowedMethods.some((each) => each === method)) continue;
    const patterns = allowedHeaders.map((each) => each.toLowerCase());
    const isAllowed = (name: string) => patterns.some((each) => matches(each, name.toLowerCase()));
    if (!headers.every((each) => isHeaderName(each) && isAllowed(each))) continue;
    return {
      origin: allowedOrigins.includes('*') ? '*' : origin,
      credentials: !allowedOrigins.includes('*') && matching.some((each) => !isAnyHost(each)),
      methods: allowedMethods,
      exposeHeaders: rule.exposeHeaders ?? [],
      ...(rule.maxAgeSeconds !== undefined && { maxAgeSeconds: rule.maxAgeSeconds }),
    };
  }
  return undefined;
}

/** `https://*` names nobody either. */
function isAnyHost(pattern: string): boolean {
  return /:\/\/\*(?::|$)/.test(pattern);
}

/** With at most one wildcard there is nothing to try twice. */
function matches(pattern: string, text: string): boolean {
  const star = pattern.indexOf('*');
  if (star === -1) return pattern === text;
  const after = pattern.slice(star + 1);
  return (
    text.length >= pattern.length - 1 &&
    text.startsWith(pattern.slice(0, star)) &&
    text.endsWith(after)
  );
}
