/**
 * Website mode: which configurations there may be, and what of a bucket a path means (specification, "Website
 * configuration"; semantics B.8). A path is that of a request, decoded once, without its first slash.
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
/** As many as a key has: what goes in and comes out are keys or their beginnings. */
const MAX_KEY_BYTES = 1024;
/** Those that make a client go elsewhere: 300, 304 and 305 do not. */
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];
const DEFAULT_REDIRECT_STATUS = 301;
/** Links within a folder's index are relative to the folder, so that its name has to end in `/`. */
const FOLDER_STATUS = 302;

/** Nothing that could name another place than a host: no path, no `@`. */
const HOST =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Throws `InvalidArgument` and `InvalidRequest`, and what `checkKey` throws. */
export function checkWebsite(website: WebsiteConfiguration): void {
  const { indexSuffix, errorKey, redirectAll, routingRules } = website;
  if (redirectAll !== undefined) {
    checkHost(redirectAll.hostName);
    checkProtocol(redirectAll.protocol);
    if (indexSuffix === undefined && errorKey === undefined && routingRules === undefined) return;
    throw invalid('RedirectAllRequestsTo stands alone: it leaves nothing to the others');
  }
  checkIndexSuffix(indexSuffix);
  if (errorKey !== undefined) checkKey(errorKey);
  if (routingRules === undefined) return;
  if (routingRules.length === 0) throw malformed('RoutingRules has no RoutingRule');
  if (routingRules.length > MAX_ROUTING_RULES) {
    throw invalid(`there may be ${MAX_ROUTING_RULES} routing rules`);
  }
  for (const rule of routingRules) checkRoutingRule(rule);
}

/** In the protocol's own words, which tools know. */
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
    throw invalid('a Condition is empty; without one, a rule holds for each request');
  }
  checkKeyText('KeyPrefixEquals', keyPrefix);
  if (errorStatus === undefined) return;
  if (Number.isInteger(errorStatus) && errorStatus >= 400 && errorStatus <= 599) return;
  throw invalid(`HttpErrorCodeReturnedEquals is ${errorStatus}; errors are 400 to 599`);
}

function checkRedirect(redirect: RoutingRedirect): void {
  const { protocol, hostName, replaceKeyPrefixWith, replaceKeyWith, status } = redirect;
  if (Object.values(redirect).every((each) => each === undefined)) {
    throw invalid('a Redirect is empty');
  }
  if (hostName !== undefined) checkHost(hostName);
  checkProtocol(protocol);
  if (replaceKeyPrefixWith !== undefined && replaceKeyWith !== undefined) {
    throw invalid('a Redirect has ReplaceKeyPrefixWith or ReplaceKeyWith, never both');
  }
  checkKeyText('ReplaceKeyPrefixWith', replaceKeyPrefixWith);
  checkKeyText('ReplaceKeyWith', replaceKeyWith);
  if (status === undefined || REDIRECT_STATUSES.includes(status)) return;
  throw invalid(`HttpRedirectCode is ${status}; there may be ${REDIRECT_STATUSES.join(', ')}`);
}

function checkHost(hostName: string): void {
  if (HOST.test(hostName)) return;
  throw badArgument('HostName', hostName, 'HostName must be a host, with or without a port');
}

function checkProtocol(protocol: WebsiteProtocol | undefined): void {
  if (protocol === undefined || protocol === 'http' || protocol === 'https') return;
  throw invalid('Protocol must be http or https');
}

/** It may become part of a `Location`. */
function checkKeyText(element: string, text = ''): void {
  if (Buffer.byteLength(text) > MAX_KEY_BYTES) {
    throw badArgument(element, text, `${element} may have ${MAX_KEY_BYTES} bytes`);
  }
  if (!holdsControl(text) && text.isWellFormed()) return;
  throw badArgument(element, text, `${element} must not contain control characters`);
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

/** Where a client is sent; protocol and host that are absent are those of the request. Its query is dropped. */
export interface WebsiteRedirect {
  readonly status: number;
  /** The rule's part of the path, already in URL form: `?` and `#` keep their meaning. */
  readonly replacement?: string;
  /** The rest of the request's path: each character is literal. */
  readonly path: string;
  readonly protocol?: WebsiteProtocol;
  readonly hostName?: string;
}

/** Before anything is looked up: by `redirectAll`, or by the first rule that asks for no error. */
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

/** After the object could not be shown: by the first rule for this error. */
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

/** The object that is shown: the index for the root and for what ends in `/`. */
export function shownKey({ indexSuffix = '' }: WebsiteConfiguration, path: string): string {
  return isFolder(path) ? path + indexSuffix : path;
}

/** Where the object is missing, but its name may be that of a folder: the index that has to be there … */
export function folderIndexKey(
  { indexSuffix = '' }: WebsiteConfiguration,
  path: string,
): string | undefined {
  return isFolder(path) ? undefined : `${path}/${indexSuffix}`;
}

/** … for the client to be sent to the folder. */
export function folderRedirect(path: string): WebsiteRedirect {
  return { status: FOLDER_STATUS, path: `${path}/` };
}

function isFolder(path: string): boolean {
  return path === '' || path.endsWith('/');
}
