/**
 * Makes requests with a `clientRequestToken` idempotent. A retry changes nothing and returns the
 * response of the first request.
 */

import { hash } from 'node:crypto';

import type Database from 'better-sqlite3';

import { DAY_MS } from '../../base/durations.ts';
import { invalid } from '../rules/check.ts';

/** How long a response is stored for retries. */
const KEPT_MS = DAY_MS;

export interface TokenRequest {
  readonly project: string;
  readonly method: string;
  readonly request: object;
  readonly token: string | undefined;
  readonly now: number;
}

/**
 * Runs `work` and stores its response under the token. For a retry of the same request, returns the stored response.
 * Throws ClusterError `InvalidParameterException` if a different request used the token.
 */
export function once<T>(
  db: Database.Database,
  { project, method, request, token, now }: TokenRequest,
  work: () => T,
): T {
  if (token === undefined) return work();
  db.prepare('DELETE FROM request_token WHERE at < ?').run(now - KEPT_MS);
  const digest = hash('sha256', JSON.stringify([method, request]), 'hex');
  const before = db
    .prepare<[string, string], { request: string; answer: string }>(
      'SELECT request, answer FROM request_token WHERE project = ? AND token = ?',
    )
    .get(project, token);
  if (before) {
    if (before.request === digest) return JSON.parse(before.answer) as T;
    throw invalid('clientRequestToken: another request used this token', request);
  }
  const answer = work();
  db.prepare('INSERT INTO request_token VALUES (?, ?, ?, ?, ?)').run(
    project,
    token,
    digest,
    JSON.stringify(answer),
    now,
  );
  return answer;
}
