/** GetBucketPolicyStatus on the wire. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'GET /{box}?policyStatus';
  const put = (statement: object) => {
    const bucket = wire.get('box');
    const about = { Action: 's3:GetObject', Resource: `arn:aws:s3:::${bucket}/*`, ...statement };
    return wire.store.putBucketPolicy({ bucket, policy: JSON.stringify({ Statement: about }) });
  };

  test.each([
    ['everyone', true, { Effect: 'Allow', Principal: '*' }],
    ['all but some', true, { Effect: 'Allow', NotPrincipal: { AWS: 'p2@c1' } }],
    ['a project', false, { Effect: 'Allow', Principal: { AWS: 'p2@c1' } }],
    ['nobody', false, { Effect: 'Deny', Principal: '*' }],
    [
      'everyone at some addresses',
      false,
      {
        Effect: 'Allow',
        Principal: '*',
        Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } },
      },
    ],
    [
      'everyone at half of all addresses',
      true,
      {
        Effect: 'Allow',
        Principal: '*',
        Condition: { IpAddress: { 'aws:SourceIp': '0.0.0.0/1' } },
      },
    ],
    [
      'everyone at all addresses of IPv4, mapped into IPv6',
      true,
      {
        Effect: 'Allow',
        Principal: '*',
        Condition: { IpAddress: { 'aws:SourceIp': '::ffff:0:0/96' } },
      },
    ],
    [
      'everyone who says so',
      true,
      { Effect: 'Allow', Principal: '*', Condition: { StringEquals: { 'aws:UserAgent': 'me' } } },
    ],
  ])(
    '[policy-8] a policy that allows %s something is public: %s',
    async (_, isPublic, statement) => {
      await put(statement);
      expect(await wire.ask(line)).toEqual({
        status: 200,
        headers: { 'content-type': 'application/xml' },
        body: `<PolicyStatus xmlns="${wire.dialect.xmlNamespace}"><IsPublic>${isPublic}</IsPublic></PolicyStatus>`,
      });
    },
  );

  refusesStrangers(wire, line);

  wire.refuses([
    ['a bucket without a policy', line, {}, { status: 404, Code: 'NoSuchBucketPolicy' }],
    [
      'a method it has not',
      'PUT /{box}?policyStatus',
      { body: 'x' },
      { status: 405, Code: 'MethodNotAllowed', Method: 'PUT', ResourceType: 'POLICYSTATUS' },
    ],
  ]);
});
