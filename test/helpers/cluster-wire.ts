/**
 * Sends raw HTTP requests to the gateway of the cluster service. Requests are signed in either
 * protocol, `s3` or `svc`. Use it inside a test.
 */

import { hash } from 'node:crypto';

import { expect } from 'vitest';

import { amzDialect, svcDialect } from '../../src/protocol/dialect.ts';
import { percentEncodePath } from '../../src/protocol/percent.ts';
import { signRequest } from '../../src/protocol/signing/sign-request.ts';
import { parseQuery } from '../../src/protocol/paths.ts';
import { FakeClock } from './fake-clock.ts';
import { type ClusterBench, openClusterBench } from './cluster-bench.ts';
import { DURATIONS } from './test-clusters.ts';
import { SIGNING_KEYS } from './wire-bench.ts';

export const WIRE_DIALECTS = {
  svc: { ...svcDialect(), service: 'eks' },
  amz: { ...amzDialect, service: 'eks' },
} as const;

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly document: Readonly<Record<string, unknown>>;
}

export interface WireRequestOptions {
  readonly body?: unknown;
  /** Text of the request body. If set, it is sent instead of the JSON of `body`. */
  readonly text?: string;
}

export interface ClusterWire {
  readonly bench: ClusterBench;
  readonly clock: FakeClock;
  readonly send: (
    verb: string,
    target: string,
    options?: WireRequestOptions,
  ) => Promise<WireAnswer>;
  /**
   * Creates the cluster `prod` with the node group `workers`, and advances the clock until both are
   * active.
   */
  readonly makeGroup: () => Promise<void>;
}

export async function openClusterWire(name: keyof typeof WIRE_DIALECTS): Promise<ClusterWire> {
  const clock = new FakeClock();
  const bench = await openClusterBench({ clock });
  const send: ClusterWire['send'] = async (verb, target, { body, text } = {}) => {
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const [path = '', query = ''] = target.split('?');
    const { host } = new URL(bench.url);
    const { headers } = signRequest(
      {
        method: verb,
        path: percentEncodePath(path),
        query: parseQuery(query),
        headers: [
          ['host', host],
          ['content-type', 'application/json'],
        ],
      },
      {
        dialect: WIRE_DIALECTS[name],
        region: 'us-east-1',
        credentials: bench.credentials,
        keys: SIGNING_KEYS,
        now: clock.now(),
        payloadHash: hash('sha256', content ?? '', 'hex'),
      },
    );
    const sent = headers.filter(([each]) => each !== 'host').map(([key, value]) => [key, value]);
    const response = await fetch(bench.url + target, {
      method: verb,
      headers: Object.fromEntries(sent) as Record<string, string>,
      ...(content !== undefined && { body: content }),
    });
    const answered = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text: answered,
      document: JSON.parse(answered) as Record<string, unknown>,
    };
  };
  const makeGroup = async () => {
    expect((await send('POST', '/clusters', { body: { name: 'prod' } })).status).toBe(200);
    clock.advance(DURATIONS.createClusterMs);
    const body = {
      nodegroupName: 'workers',
      instanceTypes: ['m1.small'],
      scalingConfig: { minSize: 0, desiredSize: 2, maxSize: 8 },
    };
    expect((await send('POST', '/clusters/prod/node-groups', { body })).status).toBe(200);
    clock.advance(DURATIONS.createNodegroupMs);
  };
  return { bench, clock, send, makeGroup };
}

/**
 * Checks the status of an error response, and its message and error code in the headers and in the
 * JSON body.
 */
export function expectRefusal(
  { status, headers, document }: WireAnswer,
  expected: { readonly status: number; readonly code: string; readonly message?: RegExp },
): void {
  expect({ status, code: document['__type'] }).toEqual({
    status: expected.status,
    code: expected.code,
  });
  expect(headers.get('x-amzn-errortype')).toBe(expected.code);
  expect(headers.get('x-svc-errortype')).toBe(expected.code);
  expect(document['message']).toEqual(expect.stringMatching(expected.message ?? /./));
}
