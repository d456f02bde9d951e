/** Tests of temporary credentials: each request carries the session token, and no error contains it. */

import { describe, expect, test } from 'vitest';

import { ClusterError } from '../../../src/cluster/cluster-error.ts';
import { openClusterClient } from '../../../src/cluster/client/cluster-client.ts';
import { amzDialect } from '../../../src/protocol/dialect.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import {
  answer,
  connect,
  CREDENTIALS,
  errorAnswer,
  failure,
  objectAnswer,
  serve,
} from './scripted-server.ts';

const REF = { bucket: 'bucket', key: 'key' };
const TOKEN = 'IQoJb3JpZ2lu/XQ+Q==';
const session = { credentials: { ...CREDENTIALS, sessionToken: TOKEN } };

describe('session tokens', () => {
  test('the client sends the session token in a signed header of each request', async () => {
    const { url, requests } = await serve(objectAnswer);
    await connect(url, { ...session, dialect: amzDialect }).headObject(REF);
    expect(requests[0]?.headers).toMatchObject({
      'x-amz-security-token': TOKEN,
      authorization: expect.stringContaining('x-amz-security-token') as string,
    });
  });

  test('the client never includes the session token in an error, even if the response contains it', async () => {
    const echo = `<Token-0>${TOKEN}</Token-0><CanonicalRequest>x-amz-security-token:${TOKEN}</CanonicalRequest>`;
    const { url } = await serve(errorAnswer(400, 'InvalidToken', echo));
    const error = await failure(connect(url, session).getObject(REF));
    expect(error).toMatchObject({ code: 'InvalidToken' });
    expect(error.message).toContain('check the session of the access key holdfast:ada@local');
    expect(`${error.stack}${JSON.stringify(error)}`).not.toContain(TOKEN);
  });
});

describe('expired sessions', () => {
  test.each(['ExpiredToken', 'InvalidToken'])(
    'the client calls onKeyRefused once for the error %s of an expired session',
    async (code) => {
      const { url } = await serve(errorAnswer(400, code));
      let heard = 0;
      const client = connect(url, { ...session, onKeyRefused: () => (heard += 1) });
      expect(await failure(client.getObject(REF))).toMatchObject({ code });
      expect(heard).toBe(1);
    },
  );

  test('the client calls onKeyRefused once for an ExpiredTokenException of a cluster service', async () => {
    const refusal = answer(403, { 'x-amzn-errortype': 'ExpiredTokenException' }, '{}');
    const { url, requests } = await serve(refusal);
    let heard = 0;
    const client = openClusterClient({
      url,
      region: 'us-east-1',
      dialect: { ...amzDialect, service: 'eks' },
      ...session,
      onKeyRefused: () => (heard += 1),
      clock: new FakeClock(),
    });
    const error = await failure(client.listClusters({}));
    await client.close();
    expect(error).toBeInstanceOf(ClusterError);
    expect(error).toMatchObject({ code: 'ExpiredTokenException' });
    expect([heard, requests[0]?.headers['x-amz-security-token']]).toEqual([1, TOKEN]);
  });
});
