import { describe, expect, test } from 'vitest';

import { defined } from '../../../src/base/defined.ts';
import type { Dialect } from '../../../src/protocol/dialect.ts';
import { parseQuery } from '../../../src/protocol/paths.ts';
import type { WireHeaders, WireRequest } from '../../../src/protocol/wire.ts';
import { FreeSigner } from '../../helpers/free-signer.ts';
import { BOTH, KEY, NOW, refusal, REGION, sign, verify, withHeader } from './signer.ts';

const HOST: WireHeaders = [['host', 'localhost:9010']];

interface Presign {
  readonly method?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly payloadHash?: string;
  readonly headers?: WireHeaders;
}

/** Returns the request that a browser sends for a presigned download URL. */
function presign(dialect: Dialect, options: Presign = {}): WireRequest {
  const { method = 'GET', parameters = {}, headers = [], payloadHash } = options;
  const signer = new FreeSigner({
    dialect,
    host: 'localhost:9010',
    region: REGION,
    credentials: KEY,
    now: () => NOW,
  });
  const wish = { method, url: '/bucket/key', headers, presigned: parameters };
  const { url } = signer.sign({ ...wish, ...defined({ payloadHash }) });
  const [path = '', query = ''] = url.split('?');
  return { method, path, query: parseQuery(query), headers: [...HOST, ...headers] };
}

describe.each(BOTH)('presigned URLs in the dialect $name', (dialect) => {
  const name = (parameter: string) => dialect.queryPrefix + parameter;

  test('the gateway verifies a presigned URL with the key that signed it', () => {
    expect(verify(presign(dialect))).toMatchObject({
      accessKey: KEY,
      authType: 'query',
      signedAt: NOW,
      signatureVersion: 'AWS4-HMAC-SHA256',
      payload: { kind: 'unsigned' },
    });
  });

  test('the gateway accepts a presigned URL with its signature anywhere in the query', () => {
    const request = presign(dialect);
    expect(verify({ ...request, query: request.query.toReversed() }).accessKey).toBe(KEY);
  });

  test.for(['0', '-1', 'abc', '604801', '1.5', ''])(
    'the gateway refuses a presigned URL that expires after %j',
    (Expires) => {
      expect(refusal(presign(dialect, { parameters: { Expires } }))).toMatchObject({
        code: 'AuthorizationQueryParametersError',
      });
    },
  );

  test('[sign-15] the gateway accepts a presigned URL for at most seven days, to the second', () => {
    const request = presign(dialect, { parameters: { Expires: '604800' } });
    expect(verify(request, NOW + 604_800_000).accessKey).toBe(KEY);
    expect(refusal(request, NOW + 604_801_000)).toMatchObject({
      code: 'AccessDenied',
      message: 'Request has expired.',
      details: { 'X-Amz-Expires': 604_800 },
    });
  });

  test('[sign-15] the gateway refuses a presigned URL that is dated more than fifteen minutes ahead', () => {
    const request = presign(dialect);
    expect(refusal(request, NOW - 901_000)).toMatchObject({
      code: 'AccessDenied',
      message: 'Request is not valid yet.',
    });
  });

  test.for(['Algorithm', 'Credential', 'Date', 'SignedHeaders'])(
    'the gateway refuses a presigned URL whose %s is missing or wrong',
    (parameter) => {
      for (const value of ['', 'wrong;;']) {
        expect(refusal(presign(dialect, { parameters: { [parameter]: value } }))).toMatchObject({
          code: 'AuthorizationQueryParametersError',
        });
      }
    },
  );

  test.for(['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'])(
    'the gateway refuses a presigned URL that contains its %s twice',
    (parameter) => {
      const request = presign(dialect);
      const again = request.query.find(([each]) => each === name(parameter));
      const query = again === undefined ? request.query : [...request.query, again];
      expect(refusal({ ...request, query })).toMatchObject({
        code: 'AuthorizationQueryParametersError',
      });
    },
  );

  test('the gateway refuses a presigned URL together with an Authorization header', () => {
    const request = presign(dialect);
    const header = sign(dialect).headers.find(([each]) => each === 'authorization');
    expect(refusal(withHeader(request, 'authorization', header?.[1] ?? ''))).toMatchObject({
      code: 'AuthorizationQueryParametersError',
    });
  });

  test('[sign-15] the gateway accepts a presigned URL for GET also with HEAD, but with no other method', () => {
    const request = presign(dialect);
    expect(verify({ ...request, method: 'HEAD' }).accessKey).toBe(KEY);
    for (const method of ['PUT', 'DELETE', 'POST']) {
      expect(refusal({ ...request, method })).toMatchObject({ code: 'SignatureDoesNotMatch' });
    }
    const put = presign(dialect, { method: 'PUT' });
    expect(refusal({ ...put, method: 'HEAD' })).toMatchObject({ code: 'SignatureDoesNotMatch' });
  });

  test.for(['acl', 'copy-source', 'content-sha256'])(
    'the gateway refuses a presigned URL with the unsigned vendor header %s',
    (header) => {
      const request = presign(dialect, { method: 'PUT' });
      const added = withHeader(request, dialect.headerPrefix + header, 'UNSIGNED-PAYLOAD');
      expect(refusal(added)).toMatchObject({ code: 'AccessDenied' });
    },
  );

  test.for(['STREAMING-UNSIGNED-PAYLOAD-TRAILER', `STREAMING-${dialect.algorithm}-PAYLOAD`])(
    'the gateway refuses a presigned URL with the payload type %s',
    (payloadHash) => {
      const inHeader = presign(dialect, {
        method: 'PUT',
        payloadHash,
        headers: [[`${dialect.headerPrefix}content-sha256`, payloadHash]],
      });
      const inQuery = presign(dialect, {
        method: 'PUT',
        payloadHash,
        parameters: { 'Content-Sha256': payloadHash },
      });
      for (const request of [inHeader, inQuery]) {
        expect(refusal(request)).toMatchObject({ code: 'InvalidRequest' });
      }
    },
  );
});
