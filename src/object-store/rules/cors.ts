/** Validates CORS rules, and finds the rule for a request (specification, "CORS rule"; semantics B.9). */

import { StepBudget, StepLimitError } from '../../base/step-budget.ts';
import { CORS_METHODS, type CorsMethod, type CorsRule } from '../cors.ts';
import { StorageError } from '../storage-error.ts';
import { holdsControl, isHeaderName } from './header-value.ts';

const MAX_RULES = 100;
const MAX_ID_CHARACTERS = 255;
/**
 * The maximum number of characters in all rules together, which is the protocol's limit for the document. All rules may
 * have to be compared with a preflight request.
 */
const MAX_CHARACTERS = 64 * 1024;
/**
 * The maximum number of origins and headers in all rules together. Each header of a preflight request may have to be
 * compared with all of them.
 */
const MAX_NAMES = 500;
/**
 * The maximum value of `MaxAgeSeconds`: the largest signed 32-bit integer, as in S3. Browsers cache a preflight
 * response for at most a day.
 */
const MAX_AGE_SECONDS = 2 ** 31 - 1;

/** Matches the characters that a stored origin can contain. Other services also accept origins without a scheme. */
const VISIBLE = /^[!-~]+$/;
/** Matches an origin: a scheme and a host with an optional port. An origin has no path. */
const ORIGIN = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[A-Za-z0-9._*-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9*]+)?$/;

/** Throws `InvalidRequest` for an invalid value, and `MalformedXML` if rules, origins or methods are missing. */
export function checkCorsRules(rules: readonly CorsRule[]): void {
  if (rules.length === 0) throw malformed('at least one CORSRule is required');
  if (rules.length > MAX_RULES)
    throw invalid(`there are ${rules.length} rules; the limit is ${MAX_RULES}`);
  const { length } = JSON.stringify(rules);
  if (length > MAX_CHARACTERS) {
    throw invalid(`the rules have ${length} characters together; the limit is ${MAX_CHARACTERS}`);
  }
  const names = rules.reduce((sum, rule) => sum + namesOf(rule), 0);
  if (names > MAX_NAMES) {
    throw invalid(
      `the rules have ${names} AllowedOrigin, AllowedHeader and ExposeHeader elements together; the limit is ${MAX_NAMES}`,
    );
  }
  for (const rule of rules) checkRule(rule);
}

function namesOf({ allowedOrigins, allowedHeaders = [], exposeHeaders = [] }: CorsRule): number {
  return allowedOrigins.length + allowedHeaders.length + exposeHeaders.length;
}

function checkRule(rule: CorsRule): void {
  const { id = '', allowedOrigins, allowedMethods, maxAgeSeconds = 0 } = rule;
  if (allowedOrigins.length === 0) throw malformed('each rule requires an AllowedOrigin');
  if (allowedMethods.length === 0) throw malformed('each rule requires an AllowedMethod');
  if (id.length > MAX_ID_CHARACTERS)
    throw invalid(`an ID has ${id.length} characters; the limit is ${MAX_ID_CHARACTERS}`);
  checkText('ID', id);
  for (const origin of allowedOrigins) checkOrigin(origin);
  for (const method of allowedMethods) {
    if (!CORS_METHODS.includes(method)) {
      throw invalid(`AllowedMethod ${quoted(method)} is not one of ${CORS_METHODS.join(', ')}`);
    }
  }
  for (const name of rule.allowedHeaders ?? []) checkHeader('AllowedHeader', name, 1);
  for (const name of rule.exposeHeaders ?? []) checkHeader('ExposeHeader', name, 0);
  if (Number.isInteger(maxAgeSeconds) && maxAgeSeconds >= 0 && maxAgeSeconds <= MAX_AGE_SECONDS) {
    return;
  }
  throw invalid(
    `MaxAgeSeconds must be an integer from 0 to ${MAX_AGE_SECONDS}, not ${maxAgeSeconds}`,
  );
}

function checkOrigin(origin: string): void {
  checkText('AllowedOrigin', origin);
  checkStars('AllowedOrigin', origin, 1);
  if (!VISIBLE.test(origin)) throw invalidOrigin(origin);
}

/**
 * Throws `InvalidRequest` unless each origin is `*` or has a scheme and no path. This is checked only for requests in
 * the specification's dialect, because the specification requires it ("CORS rule").
 */
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
  if (!isHeaderName(name)) throw invalid(`${element} ${quoted(name)} is not a valid header name`);
}

function checkStars(element: string, text: string, allowed: 0 | 1): void {
  if (text.split('*').length - 1 <= allowed) return;
  throw invalid(
    allowed === 0
      ? `${element} ${quoted(text)} must not contain a wildcard`
      : `${element} ${quoted(text)} can not have more than one wildcard`,
  );
}

/**
 * Throws `InvalidRequest` for control characters, because the text may be sent in a response header (CVE-2020-10753,
 * CVE-2021-3524).
 */
function checkText(element: string, text: string): void {
  if (holdsControl(text)) throw invalid(`${element} must not contain control characters`);
  if (!text.isWellFormed()) throw invalid(`${element} is not well-formed Unicode`);
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
  /** The value of the `Origin` header, as the browser sent it. */
  readonly origin: string;
  readonly method: string;
  /** The header names in `Access-Control-Request-Headers`. Present for a preflight. */
  readonly headers?: readonly string[];
}

/** The CORS headers of a response. */
export interface CorsGrant {
  /** `*` if the rule allows all origins; otherwise the origin of the request. */
  readonly origin: string;
  /**
   * Whether requests with credentials are allowed. False if the rule has the origin `*`. Also false if every pattern of
   * the rule that matches the origin matches any host (GHSA-x5xv).
   */
  readonly credentials: boolean;
  readonly methods: readonly CorsMethod[];
  readonly exposeHeaders: readonly string[];
  readonly maxAgeSeconds?: number;
}

/** The step budget of one request, about 3 ms of CPU time. Comparing 100 headers with 500 names takes fewer steps. */
const MAX_STEPS = 500_000;
/** The number of steps that two native string comparisons cost. */
const COMPARISON_STEPS = 8;

/**
 * Returns the CORS headers of the first rule whose origins, methods and headers all match, or undefined. Rules that
 * were stored before the limits were introduced can exceed the step budget. In that case, no rule matches, because the
 * rule that could not be compared would take precedence over later rules.
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

/** An origin or header name with at most one wildcard. */
interface Name {
  readonly text: string;
  /** The text before and after the wildcard; undefined if the name contains no wildcard. */
  readonly around?: { readonly before: string; readonly after: string };
}

interface ReadRule {
  readonly origins: readonly Name[];
  /** The allowed header names in lowercase. */
  readonly headers: readonly Name[];
}

const readRules = new WeakMap<CorsRule, ReadRule>();

/**
 * Returns the parsed rule. Each rule is parsed only once, because every CORS request to its bucket needs the parsed
 * rule.
 */
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

/** Returns whether the pattern matches every host, as `https://*`, `http*` and `*:443` do. */
function isAnyHost(pattern: string): boolean {
  const [before = '', after] = pattern.split('*');
  const fixesStart = /:\/\/./.test(before);
  const fixesEnd = after === undefined || after.replace(/^:\d*$/, '') !== '';
  return !fixesStart && !fixesEnd;
}

/** Returns whether the name matches the text. A name with at most one wildcard can be matched without backtracking. */
function matches({ text, around }: Name, given: string, budget: StepBudget): boolean {
  budget.spend(COMPARISON_STEPS + (Math.min(text.length, given.length) >> 3));
  if (around === undefined) return text === given;
  return (
    given.length >= text.length - 1 &&
    given.startsWith(around.before) &&
    given.endsWith(around.after)
  );
}
