/** Tests of PutBucketPolicy over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects, type RefusalRow } from '../../helpers/wire.ts';

const statement = {
  Effect: 'Allow',
  Principal: '*',
  Action: 's3:GetObject',
  Resource: 'arn:aws:s3:::{box}/*',
};
const policy = (changed: object = {}, around: object = {}) => ({
  body: JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ ...statement, ...changed }],
    ...around,
  }),
});
const without = (name: keyof typeof statement) => policy({ [name]: undefined });

inBothDialects(new WireBench(), (wire) => {
  const line = 'PUT /{box}?policy';
  const stored = () => wire.store.getBucketPolicy({ bucket: wire.get('box') });
  const done = { status: 204, headers: {}, body: '' };

  test('[policy-1] PutBucketPolicy replaces the previous policy', async () => {
    for (const given of [policy(), policy({ Effect: 'Deny', Action: 's3:PutObject' })]) {
      expect(await wire.ask(line, given)).toEqual(done);
      expect(await stored()).toBe(wire.fill(given.body));
    }
  });

  test('[policy-2] PutBucketPolicy accepts a policy of 20,480 bytes, and rejects a longer one', async () => {
    const { body } = policy();
    const whole = wire.fill(body).padEnd(20_480);
    expect(await wire.ask(line, { body: whole })).toEqual(done);
    expect(await wire.refusal(line, { body: `${whole} ` })).toEqual({
      status: 400,
      Code: 'MaxMessageLengthExceeded',
    });
  });

  test.each([
    ['the version 2008-10-17', policy({}, { Version: '2008-10-17' })],
    ['a policy without a version', policy({}, { Version: undefined })],
    ['a policy with an Id', policy({}, { Id: 'p' })],
    ['a single statement outside a list', policy({}, { Statement: statement })],
    ['the principal AWS: *', policy({ Principal: { AWS: '*' } })],
    ['a user', policy({ Principal: { AWS: 'arn:aws:iam:::user/p2:eve@c1' } })],
    [
      'a user ARN with a tenant',
      policy({ Principal: { AWS: ['arn:aws:iam::p2@c1:user/p2:eve@c1'] } }),
    ],
    ['a project', policy({ Principal: { AWS: ['p2@c1', 'p1@c1'] } })],
    [
      'NotPrincipal',
      policy({ Effect: 'Deny', Principal: undefined, NotPrincipal: { AWS: 'p1@c1' } }),
    ],
    ['all actions', policy({ Action: '*' })],
    ['actions with capital letters', policy({ Action: ['S3:getobject', 's3:PUT*'] })],
    ['NotAction', policy({ Action: undefined, NotAction: 's3:GetObject' })],
    ['an action that this service does not have', policy({ Action: 's3:GetBucketLogging' })],
    [
      'the resources of a bucket and its objects',
      policy({ Resource: ['arn:aws:s3:::{box}', 'arn:aws:s3:::{box}/a/*'] }),
    ],
    ['NotResource', policy({ Resource: undefined, NotResource: 'arn:aws:s3:::{box}/a' })],
    ['a policy variable', policy({ Resource: 'arn:aws:s3:::{box}/${aws:username}/*' })],
    [
      'a number and a boolean as condition values',
      policy({
        Condition: { NumericLessThan: { 's3:max-keys': 5 }, Bool: { 'aws:SecureTransport': true } },
      }),
    ],
  ])('[policy-3] PutBucketPolicy accepts %s', async (_, given) => {
    expect(await wire.ask(line, given)).toEqual(done);
  });

  test('[policy-4] every user of the project can put the bucket policy', async () => {
    expect(await wire.ask(line, { ...policy(), as: colleague })).toEqual(done);
  });

  refusesStrangers(wire, line, policy());

  const malformed = { status: 400, Code: 'MalformedPolicy' };
  const condition = (block: unknown) => policy({ Condition: block });
  const rows: readonly (readonly [string, { readonly body?: string }])[] = [
    ['a missing body', {}],
    ['an empty body', { body: '' }],
    ['XML', { body: '<Policy/>' }],
    ['an incomplete JSON document', { body: policy().body.slice(0, -1) }],
    ['a JSON array', { body: '[]' }],
    ['a JSON string', { body: '"*"' }],
    ['the JSON value null', { body: 'null' }],
    ['a duplicate element', { body: policy().body.replace('{', '{"Version":"2008-10-17",') }],
    [
      'a duplicate element with an escaped name',
      { body: policy().body.replace('{', '{"V\\u0065rsion":"2008-10-17",') },
    ],
    [
      'deeply nested JSON',
      {
        body: policy({ Condition: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) as unknown })
          .body,
      },
    ],
    ['an unknown policy version', policy({}, { Version: '2020-01-01' })],
    ['an Id that is not a string', policy({}, { Id: 1 })],
    ['an unknown element', policy({}, { Statements: [] })],
    ['a missing Statement element', policy({}, { Statement: undefined })],
    ['an empty list of statements', policy({}, { Statement: [] })],
    ['a statement that is a string', policy({}, { Statement: ['*'] })],
    ['an unknown element of a statement', policy({ Sids: 'x' })],
    [
      'two statements with the same Sid',
      policy(
        {},
        {
          Statement: [
            { ...statement, Sid: 'a' },
            { ...statement, Sid: 'a' },
          ],
        },
      ),
    ],
    ['a missing Effect element', without('Effect')],
    ['an effect in lower case', policy({ Effect: 'allow' })],
    ['a missing Principal element', without('Principal')],
    ['both Principal and NotPrincipal', policy({ NotPrincipal: '*' })],
    ['a principal that is not a string', policy({ Principal: { AWS: [1] } })],
    ['a service principal', policy({ Principal: { Service: 'x' } })],
    ['a canonical user', policy({ Principal: { CanonicalUser: 'p2:eve@c1' } })],
    ['an empty list of principals', policy({ Principal: { AWS: [] } })],
    ['a principal that is a bare name', policy({ Principal: { AWS: 'eve' } })],
    ['an unknown user', policy({ Principal: { AWS: 'arn:aws:iam:::user/p2:nobody@c1' } })],
    [
      'a user ARN with another tenant',
      policy({ Principal: { AWS: 'arn:aws:iam::p1:user/p2:eve@c1' } }),
    ],
    ['an unknown project', policy({ Principal: { AWS: 'p9@c1' } })],
    ['a user id in place of a project id', policy({ Principal: { AWS: 'p2:eve@c1' } })],
    ['a role as principal', policy({ Principal: { AWS: 'arn:aws:iam::p2:role/x' } })],
    ['a missing Action element', without('Action')],
    ['both Action and NotAction', policy({ NotAction: 's3:GetObject' })],
    ['an unknown action', policy({ Action: 's3:GetObjects' })],
    ['an action of another service', policy({ Action: 'ec2:*' })],
    ['an action without the prefix s3:', policy({ Action: 'GetObject' })],
    ['an empty list of actions', policy({ Action: [] })],
    ['a missing Resource element', without('Resource')],
    ['both Resource and NotResource', policy({ NotResource: 'arn:aws:s3:::{box}' })],
    ['a resource in another bucket', policy({ Resource: 'arn:aws:s3:::another/*' })],
    [
      'a resource in a bucket whose name starts with the same characters',
      policy({ Resource: 'arn:aws:s3:::{box}-2/*' }),
    ],
    ['a resource in any bucket', policy({ Resource: 'arn:aws:s3:::*' })],
    ['the resource *', policy({ Resource: '*' })],
    ['a resource that is not an ARN', policy({ Resource: '{box}/*' })],
    ['an unknown policy variable', policy({ Resource: 'arn:aws:s3:::{box}/${aws:nobody}' })],
    ['an unterminated policy variable', policy({ Resource: 'arn:aws:s3:::{box}/${aws:username' })],
    ['a condition that is a list', condition([])],
    ['an unknown condition operator', condition({ StringIs: { 'aws:username': 'a' } })],
    ['a condition operator in lower case', condition({ stringequals: { 'aws:username': 'a' } })],
    ['a condition operator without keys', condition({ StringEquals: 'a' })],
    ['an unknown condition key', condition({ StringEquals: { 'aws:user': 'a' } })],
    [
      'a tag condition without a tag key',
      condition({ StringEquals: { 's3:ExistingObjectTag/': 'a' } }),
    ],
    ['a condition without values', condition({ StringEquals: { 'aws:username': [] } })],
    ['a condition value that is an object', condition({ StringEquals: { 'aws:username': {} } })],
    ['a condition value that is null', condition({ StringEquals: { 'aws:username': null } })],
    ['an invalid number', condition({ NumericEquals: { 's3:max-keys': 'x' } })],
    ['an invalid date', condition({ DateLessThan: { 'aws:CurrentTime': 'tomorrow' } })],
    ['a day that does not exist', condition({ DateLessThan: { 'aws:CurrentTime': '2026-02-30' } })],
    [
      'a time on a day that does not exist',
      condition({
        'ForAnyValue:DateGreaterThanIfExists': {
          'aws:CurrentTime': ['2028-02-29T00:00:00Z', '2027-02-29T00:00:00Z'],
        },
      }),
    ],
    ['an invalid boolean', condition({ Bool: { 'aws:SecureTransport': 'yes' } })],
    ['an invalid IP address', condition({ IpAddress: { 'aws:SourceIp': '10.0.0.256' } })],
    ['an invalid IP address range', condition({ IpAddress: { 'aws:SourceIp': '10.0.0.0/33' } })],
    ['an invalid ARN', condition({ ArnLike: { 'aws:PrincipalArn': 'p2:eve@c1' } })],
    [
      'Null with a value other than true or false',
      condition({ Null: { 'aws:username': 'maybe' } }),
    ],
    ['Null with two values', condition({ Null: { 'aws:username': ['true', 'false'] } })],
    ['the operator NullIfExists', condition({ NullIfExists: { 'aws:username': 'true' } })],
  ];
  wire.refuses(
    rows.map(([claim, given]): RefusalRow => [`[policy-5] ${claim}`, line, given, malformed]),
    async () =>
      wire.store.putBucketPolicy({ bucket: wire.get('box'), policy: wire.fill(policy().body) }),
  );

  test('[policy-6] PutBucketPolicy rejects a public policy if BlockPublicPolicy is set', async () => {
    const bucket = wire.get('box');
    const off = { blockPublicAcls: false, ignorePublicAcls: false, restrictPublicBuckets: false };
    await wire.store.putPublicAccessBlock({ bucket, block: { ...off, blockPublicPolicy: true } });
    expect(await wire.refusal(line, policy())).toEqual({ status: 403, Code: 'AccessDenied' });
    expect(await wire.ask(line, policy({ Principal: { AWS: 'p2@c1' } }))).toEqual(done);
  });
});
