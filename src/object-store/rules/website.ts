/**
 * Validates website configurations, and finds the object or the redirect for the path of a request (specification,
 * "Website configuration"; semantics B.8). Paths are percent-decoded once and have no leading slash.
 */

import { defined } from '../../base/defined.ts';
import { StorageError } from '../storage-error.ts';
import type {
  RoutingCondition,
  RoutingRedirect,
  RoutingRule,
  WebsiteConfiguration,
  WebsiteProtocol,
} from '../website.ts';
import { holdsControl } from './header-value.ts';
import { checkKey } from './naming.ts';

const MAX_ROUTING_RULES = 50;
/** The maximum length of each text of a website configuration that is an object key or a key prefix. */
const MAX_KEY_BYTES = 1024;
/** The HTTP statuses that a website redirect can have. Clients do not follow 300, 304 and 305. */
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];
const DEFAULT_REDIRECT_STATUS = 301;
/** The status of a redirect that adds `/` to the name of a folder, so that relative links in its index page work. */
const FOLDER_STATUS = 302;

/**
 * Matches a host with an optional port. A path or an `@` is not allowed, because it could change the host to which a
 * URL refers.
 */
const HOST =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * Throws `InvalidArgument`, `InvalidRequest`, `MalformedXML` or an error of `checkKey` if the website configuration is
 * invalid.
 */
export function checkWebsite(website: WebsiteConfiguration): void {
  const { indexSuffix, errorKey, redirectAll, routingRules } = website;
  if (redirectAll !== undefined) {
    checkHost(redirectAll.hostName);
    checkProtocol(redirectAll.protocol);
    if (indexSuffix === undefined && errorKey === undefined && routingRules === undefined) return;
    throw invalid('RedirectAllRequestsTo cannot be combined with other elements');
  }
  checkIndexSuffix(indexSuffix);
  if (errorKey !== undefined) checkKey(errorKey);
  if (routingRules === undefined) return;
  if (routingRules.length === 0) throw malformed('RoutingRules requires at least one RoutingRule');
  if (routingRules.length > MAX_ROUTING_RULES) {
    throw invalid(
      `there are ${routingRules.length} routing rules; the limit is ${MAX_ROUTING_RULES}`,
    );
  }
  for (const rule of routingRules) checkRoutingRule(rule);
}

/**
 * Throws `InvalidArgument` or an error of `checkKey` for an invalid index suffix. The messages are those of S3, because
 * some clients match them.
 */
function checkIndexSuffix(suffix: string | undefined): void {
  if (suffix === undefined || suffix === '') {
    throw badArgument(
      'IndexDocument',
      suffix ?? '',
      'A value for IndexDocument Suffix must be provided if RedirectAllRequestsTo is empty',
    );
  }
  if (suffix.includes('/')) {
    throw badArgument('IndexDocument', suffix, 'The IndexDocument Suffix is not well formed');
  }
  checkKey(suffix);
}

function checkRoutingRule({ condition, redirect }: RoutingRule): void {
  if (condition !== undefined) checkCondition(condition);
  checkRedirect(redirect);
}

function checkCondition({ keyPrefix, errorStatus }: RoutingCondition): void {
  if (keyPrefix === undefined && errorStatus === undefined) {
    throw invalid('a Condition is empty; omit it for a rule that applies to every request');
  }
  checkKeyText('KeyPrefixEquals', keyPrefix);
  if (errorStatus === undefined) return;
  if (Number.isInteger(errorStatus) && errorStatus >= 400 && errorStatus <= 599) return;
  throw invalid(`HttpErrorCodeReturnedEquals must be 400 to 599, not ${errorStatus}`);
}

function checkRedirect(redirect: RoutingRedirect): void {
  const { protocol, hostName, replaceKeyPrefixWith, replaceKeyWith, status } = redirect;
  if (Object.values(redirect).every((each) => each === undefined)) {
    throw invalid('a Redirect is empty');
  }
  if (hostName !== undefined) checkHost(hostName);
  checkProtocol(protocol);
  if (replaceKeyPrefixWith !== undefined && replaceKeyWith !== undefined) {
    throw invalid('a Redirect must not have both ReplaceKeyPrefixWith and ReplaceKeyWith');
  }
  checkKeyText('ReplaceKeyPrefixWith', replaceKeyPrefixWith);
  checkKeyText('ReplaceKeyWith', replaceKeyWith);
  if (status === undefined || REDIRECT_STATUSES.includes(status)) return;
  throw invalid(`HttpRedirectCode must be one of ${REDIRECT_STATUSES.join(', ')}, not ${status}`);
}

function checkHost(hostName: string): void {
  if (HOST.test(hostName)) return;
  throw badArgument(
    'HostName',
    hostName,
    'HostName must be a host name or address, with an optional port',
  );
}

function checkProtocol(protocol: WebsiteProtocol | undefined): void {
  if (protocol === undefined || protocol === 'http' || protocol === 'https') return;
  throw invalid('Protocol must be http or https');
}

/** Validates text that may become part of a `Location` header. */
function checkKeyText(element: string, text = ''): void {
  if (Buffer.byteLength(text) > MAX_KEY_BYTES) {
    throw badArgument(element, text, `${element} must have at most ${MAX_KEY_BYTES} bytes`);
  }
  if (!holdsControl(text) && text.isWellFormed()) return;
  throw badArgument(
    element,
    text,
    `${element} must not contain control characters or invalid Unicode`,
  );
}

function badArgument(name: string, value: string, message: string): StorageError {
  const details = { ArgumentName: name, ArgumentValue: value.slice(0, 80).toWellFormed() };
  return new StorageError('InvalidArgument', message, { details });
}

function invalid(reason: string): StorageError {
  return new StorageError('InvalidRequest', `set website: ${reason}`);
}

function malformed(reason: string): StorageError {
  return new StorageError('MalformedXML', `set website: ${reason}`);
}

/**
 * The target of a redirect. If the protocol or the host is absent, the protocol or the host of the request is used. The
 * query of the request is omitted.
 */
export interface WebsiteRedirect {
  readonly status: number;
  /** The part of the path that comes from the rule. It is already URL-encoded, so `?` and `#` keep their meaning. */
  readonly replacement?: string;
  /** The remaining path of the request, in which every character is literal. */
  readonly path: string;
  readonly protocol?: WebsiteProtocol;
  readonly hostName?: string;
}

/**
 * Returns the redirect that applies before the object is looked up: the one in `redirectAll`, or that of the first
 * matching rule without an error status. Returns undefined if no redirect applies.
 */
export function redirectOf(
  { redirectAll, routingRules = [] }: WebsiteConfiguration,
  path: string,
): WebsiteRedirect | undefined {
  if (redirectAll !== undefined) {
    return { status: DEFAULT_REDIRECT_STATUS, path, ...redirectAll };
  }
  return redirectBy(
    routingRules.find(
      ({ condition }) =>
        condition?.errorStatus === undefined && path.startsWith(condition?.keyPrefix ?? ''),
    ),
    path,
  );
}

/**
 * Returns the redirect that applies when the lookup fails with this HTTP status: that of the first matching rule with
 * this error status. Returns undefined if no redirect applies.
 */
export function redirectOfError(
  { routingRules = [] }: WebsiteConfiguration,
  path: string,
  status: number,
): WebsiteRedirect | undefined {
  return redirectBy(
    routingRules.find(
      ({ condition }) =>
        condition?.errorStatus === status && path.startsWith(condition.keyPrefix ?? ''),
    ),
    path,
  );
}

function redirectBy(rule: RoutingRule | undefined, path: string): WebsiteRedirect | undefined {
  if (rule === undefined) return undefined;
  const { condition, redirect } = rule;
  const { replaceKeyWith, replaceKeyPrefixWith, status = DEFAULT_REDIRECT_STATUS } = redirect;
  const { protocol, hostName } = redirect;
  const replacement = replaceKeyWith ?? replaceKeyPrefixWith;
  const prefix = replaceKeyPrefixWith === undefined ? '' : (condition?.keyPrefix ?? '');
  return defined({
    status,
    replacement,
    path: replaceKeyWith === undefined ? path.slice(prefix.length) : '',
    protocol,
    hostName,
  });
}

/**
 * Returns the key of the object to serve. For the root and for paths that end with `/`, this is the key of the index
 * page.
 */
export function shownKey({ indexSuffix = '' }: WebsiteConfiguration, path: string): string {
  return isFolder(path) ? path + indexSuffix : path;
}

/**
 * Returns the key of the index page of the folder with this name, which does not end with a slash. Returns undefined
 * for the root and for a path that ends with `/`.
 */
export function folderIndexKey(
  { indexSuffix = '' }: WebsiteConfiguration,
  path: string,
): string | undefined {
  return isFolder(path) ? undefined : `${path}/${indexSuffix}`;
}

/**
 * Returns the redirect from a folder's name without a final slash to the folder. Used if no object has that name and
 * the folder has an index page.
 */
export function folderRedirect(path: string): WebsiteRedirect {
  return { status: FOLDER_STATUS, path: `${path}/` };
}

function isFolder(path: string): boolean {
  return path === '' || path.endsWith('/');
}
