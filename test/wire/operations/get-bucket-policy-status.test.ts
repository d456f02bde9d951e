/** Tests of GetBucketPolicyStatus over HTTP. */

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
    ['everyone except one project', true, { Effect: 'Allow', NotPrincipal: { AWS: 'p2@c1' } }],
    ['a project', false, { Effect: 'Allow', Principal: { AWS: 'p2@c1' } }],
    ['no caller', false, { Effect: 'Deny', Principal: '*' }],
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
      'everyone at half of all IP addresses',
      true,
      {
        Effect: 'Allow',
        Principal: '*',
        Condition: { IpAddress: { 'aws:SourceIp': '0.0.0.0/1' } },
      },
    ],
    [
      'everyone at all IPv4 addresses, written as IPv6',
      true,
      {
        Effect: 'Allow',
        Principal: '*',
        Condition: { IpAddress: { 'aws:SourceIp': '::ffff:0:0/96' } },
      },
    ],
    [
      'the users with a given name in every project',
      true,
      { Effect: 'Allow', Principal: '*', Condition: { StringEquals: { 'aws:username': 'eve' } } },
    ],
    [
      'one user by its full user id',
      false,
      {
        Effect: 'Allow',
        Principal: '*',
        Condition: { StringEquals: { 'aws:userid': 'p2:eve@c1' } },
      },
    ],
    [
      'everyone with a certain User-Agent',
      true,
      { Effect: 'Allow', Principal: '*', Condition: { StringEquals: { 'aws:UserAgent': 'me' } } },
    ],
  ])(
    '[policy-8] GetBucketPolicyStatus of a policy that grants access to %s returns IsPublic %s',
    async (_, isPublic, statement) => {
      await put(statement);
      expect(await wire.ask(line)).toEqual({
        status: 200,
        headers: { 'content-type': 'application/xml' },
        body: `<PolicyStatus xmlns="${wire.dialect.xmlNamespace}"><IsPublic>${isPublic}</IsPublic></PolicyStatus>`,
      });
    },
  );

  const isPublic = async () => /<IsPublic>(\w+)</.exec((await wire.send(line)).text())?.[1];

  test.each([
    ['private', 'false'],
    ['public-read', 'true'],
    ['authenticated-read', 'true'],
  ] as const)(
    '[policy-39] GetBucketPolicyStatus of a bucket without a policy and with the ACL %s returns IsPublic %s',
    async (canned, expected) => {
      await wire.store.putBucketAcl({ bucket: wire.get('box'), acl: { canned } });
      expect(await isPublic()).toBe(expected);
    },
  );

  test('[policy-39] GetBucketPolicyStatus reports a bucket with a public ACL as public, even if its policy is not', async () => {
    await put({ Effect: 'Allow', Principal: { AWS: 'p2@c1' } });
    expect(await isPublic()).toBe('false');
    const acl = { grants: [{ grantee: 'AllUsers', permission: 'READ_ACP' }] } as const;
    await wire.store.putBucketAcl({ bucket: wire.get('box'), acl });
    expect(await isPublic()).toBe('true');
  });

  refusesStrangers(wire, line);

  wire.refuses([
    [
      'an unsupported method',
      'PUT /{box}?policyStatus',
      { body: 'x' },
      { status: 405, Code: 'MethodNotAllowed', Method: 'PUT', ResourceType: 'POLICYSTATUS' },
    ],
  ]);
});
