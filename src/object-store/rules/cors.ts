/** CORS rules: which there may be, and which one a request falls under (specification, "CORS rule"; semantics B.9). */

import { StepBudget, StepLimitError } from '../../base/step-budget.ts';
import { CORS_METHODS, type CorsMethod, type CorsRule } from '../cors.ts';
import { StorageError } from '../storage-error.ts';
import { holdsControl, isHeaderName } from './header-value.ts';

const MAX_RULES = 100;
const MAX_ID_CHARACTERS = 255;
/** Of all rules together, as the protocol's own limit of their document: each preflight may go through all of them. */
const MAX_CHARACTERS = 64 * 1024;
/** Origins and headers of all rules together: a preflight may have to compare each header that it asks for with all of them. */
const MAX_NAMES = 500;
/** Browsers keep the answer for a day at most; more digits than this are a mistake. */
const MAX_AGE_SECONDS = 2 ** 31 - 1;

/** What may be stored: other services take origins without a scheme, too. */
const VISIBLE = /^[!-~]+$/;
/** A scheme, and a host with or without a port. A path is part of no origin. */
const ORIGIN = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[A-Za-z0-9._*-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9*]+)?$/;

/** Throws `InvalidRequest` for a value that cannot be, `MalformedXML` for rules without origins or methods. */
export function checkCorsRules(rules: readonly CorsRule[]): void {
  if (rules.length === 0) throw malformed('there must be a rule');
  if (rules.length > MAX_RULES) throw invalid(`there may be ${MAX_RULES} rules`);
  if (JSON.stringify(rules).length > MAX_CHARACTERS) {
    throw invalid(`the rules may have ${MAX_CHARACTERS} characters together`);
  }
  const names = rules.reduce((sum, rule) => sum + namesOf(rule), 0);
  if (names > MAX_NAMES) {
    throw invalid(
      `the rules have ${names} AllowedOrigin, AllowedHeader and ExposeHeader together, ${MAX_NAMES} are allowed`,
    );
  }
  for (const rule of rules) checkRule(rule);
}

function namesOf({ allowedOrigins, allowedHeaders = [], exposeHeaders = [] }: CorsRule): number {
  return allowedOrigins.length + allowedHeaders.length + exposeHeaders.length;
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
  if (!VISIBLE.test(origin)) throw invalidOrigin(origin);
}

/** The rule of the specification ("CORS rule"), for requests in its dialect. Throws `InvalidRequest`. */
export function checkOriginSchemes(rules: readonly CorsRule[]): void {
  for (const origin of rules.flatMap(({ allowedOrigins }) => allowedOrigins)) {
    if (origin !== '*' && !ORIGIN.test(origin)) throw invalidOrigin(origin);
  }
}

function invalidOrigin(origin: string): StorageError {
  return invalid(
    `AllowedOrigin ${quoted(origin)} is not an origin: write *, https://HOST, https://HOST:PORT or https://*.DOMAIN`,
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

export interface CorsRequest {
  /** As the browser sent it. */
  readonly origin: string;
  readonly method: string;
  /** Those that a script wants to send, of a preflight. */
  readonly headers?: readonly string[];
}

/** The CORS headers of a response. */
export interface CorsGrant {
  /** `*` under a rule for any origin, and the asker's own under others. */
  readonly origin: string;
  /** Whether an answer to a request with cookies may be shown: never where any host is allowed (GHSA-x5xv). */
  readonly credentials: boolean;
  readonly methods: readonly CorsMethod[];
  readonly exposeHeaders: readonly string[];
  readonly maxAgeSeconds?: number;
}

/** Of one request: about 3 ms of CPU. 100 headers against 500 names take less. */
const MAX_STEPS = 500_000;
/** Two comparisons of native code. */
const COMPARISON_STEPS = 8;

/**
 * By the first rule whose origins, methods and headers all match; undefined where none does. Rules that were stored
 * before names were limited may take more steps than the budget: then none is found, since a later one must not count.
 */
export function corsGrant(
  rules: readonly CorsRule[],
  request: CorsRequest,
  budget = new StepBudget(MAX_STEPS),
): CorsGrant | undefined {
  try {
    return firstGrant(rules, request, budget);
  } catch (error) {
    if (error instanceof StepLimitError) return undefined;
    throw error;
  }
}

function firstGrant(
  rules: readonly CorsRule[],
  { origin, method, headers = [] }: CorsRequest,
  budget: StepBudget,
): CorsGrant | undefined {
  const names = [...new Set(headers.map((each) => each.toLowerCase()))];
  for (const rule of rules) {
    const { origins, headers: allowed } = readRule(rule);
    const matching = origins.filter((each) => matches(each, origin, budget));
    const { allowedOrigins, allowedMethods } = rule;
    if (matching.length === 0 || !allowedMethods.some((each) => each === method)) continue;
    const isAllowed = (name: string) => allowed.some((each) => matches(each, name, budget));
    if (!names.every((each) => isHeaderName(each) && isAllowed(each))) continue;
    const anyOrigin = allowedOrigins.includes('*');
    return {
      origin: anyOrigin ? '*' : origin,
      credentials: !anyOrigin && matching.some(({ text }) => !isAnyHost(text)),
      methods: allowedMethods,
      exposeHeaders: rule.exposeHeaders ?? [],
      ...(rule.maxAgeSeconds !== undefined && { maxAgeSeconds: rule.maxAgeSeconds }),
    };
  }
  return undefined;
}

/** A text with one wildcard at most. */
interface Name {
  readonly text: string;
  /** Undefined without a wildcard. */
  readonly around?: { readonly before: string; readonly after: string };
}

interface ReadRule {
  readonly origins: readonly Name[];
  /** In lower case. */
  readonly headers: readonly Name[];
}

const readRules = new WeakMap<CorsRule, ReadRule>();

/** Rules are read once, and asked on every request of their bucket. */
function readRule(rule: CorsRule): ReadRule {
  const known = readRules.get(rule);
  if (known !== undefined) return known;
  const { allowedOrigins, allowedHeaders = [] } = rule;
  const read = {
    origins: allowedOrigins.map(readName),
    headers: allowedHeaders.map((each) => readName(each.toLowerCase())),
  };
  readRules.set(rule, read);
  return read;
}

function readName(text: string): Name {
  const star = text.indexOf('*');
  if (star === -1) return { text };
  return { text, around: { before: text.slice(0, star), after: text.slice(star + 1) } };
}

/** Whether the pattern leaves the whole host open, as `https://*`, `http*` and `*:443` do. */
function isAnyHost(pattern: string): boolean {
  const [before = '', after] = pattern.split('*');
  const fixesStart = /:\/\/./.test(before);
  const fixesEnd = after === undefined || after.replace(/^:\d*$/, '') !== '';
  return !fixesStart && !fixesEnd;
}

/** With at most one wildcard there is nothing to try twice. */
function matches({ text, around }: Name, given: string, budget: StepBudget): boolean {
  budget.spend(COMPARISON_STEPS + (Math.min(text.length, given.length) >> 3));
  if (around === undefined) return text === given;
  return (
    given.length >= text.length - 1 &&
    given.startsWith(around.before) &&
    given.endsWith(around.after)
  );
}
