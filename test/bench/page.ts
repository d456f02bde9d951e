/**
 * Measures how long a server takes to return a listing page. The XML is not parsed, because parsing is the client's
 * work.
 */

import { amzDialect } from '../../src/protocol/dialect.ts';
import { formatQuery } from '../../src/protocol/paths.ts';
import { signRequest } from '../../src/protocol/signing/sign-request.ts';
import { SigningKeys } from '../../src/protocol/signing/signing-key.ts';
import { EMPTY_SHA256 } from '../../src/protocol/signing/string-to-sign.ts';
import { BENCH_KEY } from './credentials.ts';
import { BUCKET } from './names.ts';

const keys = new SigningKeys();

export interface PageRequest {
  readonly startAfter?: string;
  readonly delimiter?: string;
}

/**
 * Returns the time from sending a list request until the response is complete, in milliseconds. Throws if the response
 * status is not 200.
 */
export async function pageMs(endpoint: string, request: PageRequest): Promise<number> {
  const query: [string, string][] = [['list-type', '2']];
  if (request.delimiter) query.push(['delimiter', request.delimiter]);
  if (request.startAfter) query.push(['start-after', request.startAfter]);
  const { host } = new URL(endpoint);
  const message = { method: 'GET', path: `/${BUCKET}`, query, headers: [['host', host]] as const };
  const { headers } = signRequest(message, {
    dialect: amzDialect,
    region: 'us-east-1',
    credentials: BENCH_KEY,
    keys,
    now: Date.now(),
    payloadHash: EMPTY_SHA256,
  });
  const sent = headers.filter(([name]) => name !== 'host').map(([name, value]) => [name, value]);
  const startedAt = performance.now();
  const answer = await fetch(`${endpoint}/${BUCKET}?${formatQuery(query)}`, {
    headers: sent as [string, string][],
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`list page: ${answer.status} ${text}`);
  return performance.now() - startedAt;
}
