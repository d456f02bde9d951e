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

  test('[policy-2] PutBucketPolicy accepts 20,480 bytes, and no more', async () => {
    const { body } = policy();
    const whole = wire.fill(body).padEnd(20_480);
    expect(await wire.ask(line, { body: whole })).toEqual(done);
    expect(await wire.refusal(line, { body: `${whole} ` })).toEqual({
      status: 400,
      Code: 'MaxMessageLengthExceeded',
    });
  });

  test.each([
    ['the version of 2008', policy({}, { Version: '2008-10-17' })],
    ['no version', policy({}, { Version: undefined })],
    ['an id', policy({}, { Id: 'p' })],
    ['one statement that is no list', policy({}, { Statement: statement })],
    ['AWS: *', policy({ Principal: { AWS: '*' } })],
    ['a user', policy({ Principal: { AWS: 'arn:aws:iam:::user/p2:eve@c1' } })],
    ['a user of a tenant', policy({ Principal: { AWS: ['arn:aws:iam::p2@c1:user/p2:eve@c1'] } })],
    ['a project', policy({ Principal: { AWS: ['p2@c1', 'p1@c1'] } })],
    [
      'NotPrincipal',
      policy({ Effect: 'Deny', Principal: undefined, NotPrincipal: { AWS: 'p1@c1' } }),
    ],
    ['all actions', policy({ Action: '*' })],
    ['actions in capitals', policy({ Action: ['S3:getobject', 's3:PUT*'] })],
    ['NotAction', policy({ Action: undefined, NotAction: 's3:GetObject' })],
    ['an action that nobody asks for here', policy({ Action: 's3:GetBucketLogging' })],
    ['bucket and objects', policy({ Resource: ['arn:aws:s3:::{box}', 'arn:aws:s3:::{box}/a/*'] })],
    ['NotResource', policy({ Resource: undefined, NotResource: 'arn:aws:s3:::{box}/a' })],
    ['a variable', policy({ Resource: 'arn:aws:s3:::{box}/${aws:username}/*' })],
    [
      'a number and a truth value to compare with',
      policy({
        Condition: { NumericLessThan: { 's3:max-keys': 5 }, Bool: { 'aws:SecureTransport': true } },
      }),
    ],
  ])('[policy-3] PutBucketPolicy accepts %s', async (_, given) => {
    expect(await wire.ask(line, given)).toEqual(done);
  });

  test('[policy-4] every user of the project may put the bucket policy', async () => {
    expect(await wire.ask(line, { ...policy(), as: colleague })).toEqual(done);
  });

  refusesStrangers(wire, line, policy());

  const malformed = { status: 400, Code: 'MalformedPolicy' };
  const condition = (block: unknown) => policy({ Condition: block });
  const rows: readonly (readonly [string, { readonly body?: string }])[] = [
    ['no body', {}],
    ['an empty body', { body: '' }],
    ['XML', { body: '<Policy/>' }],
    ['half a document', { body: policy().body.slice(0, -1) }],
    ['a list', { body: '[]' }],
    ['a text', { body: '"*"' }],
    ['null', { body: 'null' }],
    ['a member twice', { body: policy().body.replace('{', '{"Version":"2008-10-17",') }],
    [
      'a member twice, once written otherwise',
      { body: policy().body.replace('{', '{"V\\u0065rsion":"2008-10-17",') },
    ],
    [
      'a deep nest',
      {
        body: policy({ Condition: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) as unknown })
          .body,
      },
    ],
    ['another version', policy({}, { Version: '2020-01-01' })],
    ['an id that is no text', policy({}, { Id: 1 })],
    ['a member that nobody knows', policy({}, { Statements: [] })],
    ['no statement', policy({}, { Statement: undefined })],
    ['an empty list of statements', policy({}, { Statement: [] })],
    ['a statement that is a text', policy({}, { Statement: ['*'] })],
    ['a member of a statement that nobody knows', policy({ Sids: 'x' })],
    [
      'two statements of one Sid',
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
    ['no effect', without('Effect')],
    ['an effect in lower case', policy({ Effect: 'allow' })],
    ['no principal', without('Principal')],
    ['both principals', policy({ NotPrincipal: '*' })],
    ['a principal that is no text', policy({ Principal: { AWS: [1] } })],
    ['a principal of another kind', policy({ Principal: { Service: 'x' } })],
    ['a canonical user', policy({ Principal: { CanonicalUser: 'p2:eve@c1' } })],
    ['no principals', policy({ Principal: { AWS: [] } })],
    ['a bare name', policy({ Principal: { AWS: 'eve' } })],
    ['a user that there is not', policy({ Principal: { AWS: 'arn:aws:iam:::user/p2:nobody@c1' } })],
    ['a user of another tenant', policy({ Principal: { AWS: 'arn:aws:iam::p1:user/p2:eve@c1' } })],
    ['a project that there is not', policy({ Principal: { AWS: 'p9@c1' } })],
    ['a user where a project stands', policy({ Principal: { AWS: 'p2:eve@c1' } })],
    ['a role', policy({ Principal: { AWS: 'arn:aws:iam::p2:role/x' } })],
    ['no action', without('Action')],
    ['both actions', policy({ NotAction: 's3:GetObject' })],
    ['an action that there is not', policy({ Action: 's3:GetObjects' })],
    ['an action of another service', policy({ Action: 'ec2:*' })],
    ['an action without its service', policy({ Action: 'GetObject' })],
    ['an empty list of actions', policy({ Action: [] })],
    ['no resource', without('Resource')],
    ['both resources', policy({ NotResource: 'arn:aws:s3:::{box}' })],
    ['another bucket', policy({ Resource: 'arn:aws:s3:::another/*' })],
    ['a bucket whose name only begins so', policy({ Resource: 'arn:aws:s3:::{box}-2/*' })],
    ['any bucket', policy({ Resource: 'arn:aws:s3:::*' })],
    ['any resource', policy({ Resource: '*' })],
    ['no ARN', policy({ Resource: '{box}/*' })],
    ['a variable that there is not', policy({ Resource: 'arn:aws:s3:::{box}/${aws:nobody}' })],
    ['half a variable', policy({ Resource: 'arn:aws:s3:::{box}/${aws:username' })],
    ['a condition that is a list', condition([])],
    ['an operator that there is not', condition({ StringIs: { 'aws:username': 'a' } })],
    ['an operator in lower case', condition({ stringequals: { 'aws:username': 'a' } })],
    ['an operator without keys', condition({ StringEquals: 'a' })],
    ['a key that there is not', condition({ StringEquals: { 'aws:user': 'a' } })],
    ['a tag without its key', condition({ StringEquals: { 's3:ExistingObjectTag/': 'a' } })],
    ['no values', condition({ StringEquals: { 'aws:username': [] } })],
    ['a value that is an object', condition({ StringEquals: { 'aws:username': {} } })],
    ['a value that is null', condition({ StringEquals: { 'aws:username': null } })],
    ['a number that is none', condition({ NumericEquals: { 's3:max-keys': 'x' } })],
    ['a date that is none', condition({ DateLessThan: { 'aws:CurrentTime': 'tomorrow' } })],
    ['a day that is none', condition({ DateLessThan: { 'aws:CurrentTime': '2026-02-30' } })],
    [
      'a moment of a day that is none',
      condition({
        'ForAnyValue:DateGreaterThanIfExists': {
          'aws:CurrentTime': ['2028-02-29T00:00:00Z', '2027-02-29T00:00:00Z'],
        },
      }),
    ],
    ['a truth value that is none', condition({ Bool: { 'aws:SecureTransport': 'yes' } })],
    ['an address that is none', condition({ IpAddress: { 'aws:SourceIp': '10.0.0.256' } })],
    ['a range that is none', condition({ IpAddress: { 'aws:SourceIp': '10.0.0.0/33' } })],
    ['an ARN that is none', condition({ ArnLike: { 'aws:PrincipalArn': 'p2:eve@c1' } })],
    ['Null of something else', condition({ Null: { 'aws:username': 'maybe' } })],
    ['Null of two', condition({ Null: { 'aws:username': ['true', 'false'] } })],
    ['Null if it exists', condition({ NullIfExists: { 'aws:username': 'true' } })],
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
