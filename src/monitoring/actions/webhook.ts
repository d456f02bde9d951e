/** Implements the `webhook` action. It sends the notice as JSON in a POST request. */

import type { Clock } from '../../base/clock.ts';
import { errorCode, errorMessage } from '../../base/errors.ts';
import type { AlarmAction } from '../alarm.ts';
import { MonitoringError } from '../monitoring-error.ts';
import type { Notice } from './notice.ts';
import { done, failed, failedForNow, type Outcome } from './outcome.ts';
import { readSecretHeader } from './secret-header.ts';

/**
 * The time limit for the whole request. A webhook should respond before it processes the notice.
 */
const TIMEOUT_MS = 15_000;
/** How many bytes of a response the alarm's history stores. The other bytes are not read. */
const MAX_ANSWER_BYTES = 1024;

export async function postWebhook(
  { url, secretFile }: Extract<AlarmAction, { type: 'webhook' }>,
  { document }: Notice,
  { clock }: { readonly clock: Clock },
  signal: AbortSignal,
): Promise<Outcome> {
  const timeout = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => timeout.abort());
  // undici is loaded on demand, because it uses 26 MB and most daemons send no request.
  const { Agent, request } = await import('undici');
  // `rejectUnauthorized` overrides NODE_TLS_REJECT_UNAUTHORIZED.
  const agent = new Agent({ allowH2: false, connect: { rejectUnauthorized: true } });
  try {
    const secret = secretFile === undefined ? {} : readSecretHeader(secretFile);
    const response = await request(url, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', 'user-agent': 'holdfast', ...secret },
      body: JSON.stringify(document),
      signal: AbortSignal.any([signal, timeout.signal]),
    });
    return outcomeOf(response.statusCode, await beginning(response.body));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof MonitoringError) return failed(error.message);
    if (timeout.signal.aborted) return failedForNow(`no response within ${TIMEOUT_MS / 1000} s`);
    return failedForNow(`cannot connect: ${errorCode(error) ?? errorMessage(error)}`);
  } finally {
    cancel();
    await agent.destroy();
  }
}

function outcomeOf(status: number, answer: string): Outcome {
  const said = `status ${status}${answer.trim() === '' ? '' : `: ${answer}`}`;
  if (status >= 200 && status < 300) return done(said);
  // Redirects are not followed, because the secret header is intended only for the configured URL.
  if (status >= 300 && status < 400) return failed(`${said} (redirects are not followed)`);
  const mayPass = status >= 500 || status === 408 || status === 429;
  return mayPass ? failedForNow(said) : failed(said);
}

async function beginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString();
}
