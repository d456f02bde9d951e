/** A page of a listing as the wire carries it: what reading its XML would cost is the client's and is left out. */

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

/** Milliseconds from asking for a page to having the last of its bytes. Throws when it is no page. */
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
