/** Tests of GetBucketAcl over HTTP. */

import { expect, test } from 'vitest';
import { shownAcl } from '../../helpers/acl-questions.ts';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { GRANTEES, stranger, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'GET /{box}?acl';
  const bucket = () => wire.get('box');
  const answer = (grants: Parameters<typeof shownAcl>[0]) => ({
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: `<AccessControlPolicy xmlns="${wire.dialect.xmlNamespace}">${shownAcl(grants)}</AccessControlPolicy>`,
  });

  test('[acl-1] the ACL of a new bucket grants FULL_CONTROL to its owner, and nothing to other users', async () => {
    expect(await wire.ask(line)).toEqual(answer([['p1:ada@c1', 'FULL_CONTROL']]));
  });

  test('[acl-28] GetBucketAcl returns groups first, then projects and users, each in the order of the grants', async () => {
    await wire.store.putBucketAcl({
      bucket: bucket(),
      acl: {
        grants: [
          { grantee: GRANTEES.project, permission: 'WRITE_ACP' },
          { grantee: 'AuthenticatedUsers', permission: 'READ_ACP' },
          { grantee: GRANTEES.user, permission: 'FULL_CONTROL' },
          { grantee: 'AllUsers', permission: 'READ' },
        ],
      },
    });
    expect(await wire.ask('GET /{box}/?acl=null')).toEqual(
      answer([
        ['AuthenticatedUsers', 'READ_ACP'],
        ['AllUsers', 'READ'],
        [GRANTEES.project, 'WRITE_ACP'],
        [GRANTEES.user, 'FULL_CONTROL'],
      ]),
    );
  });

  test('[acl-2] READ_ACP permits GetBucketAcl, and READ does not', async () => {
    for (const [permission, status] of [
      ['READ', 403],
      ['WRITE_ACP', 403],
      ['READ_ACP', 200],
    ] as const) {
      const grants = [{ grantee: GRANTEES.project, permission }];
      await wire.store.putBucketAcl({ bucket: bucket(), acl: { grants } });
      expect((await wire.send(line, { as: stranger })).status).toBe(status);
    }
  });

  refusesStrangers(wire, line);

  wire.refuses([
    ['an unexpected request body', line, { body: 'x' }, { status: 400, Code: 'UnexpectedContent' }],
    [
      'an unsupported method',
      'DELETE /{box}?acl',
      {},
      { status: 405, Code: 'MethodNotAllowed', Method: 'DELETE', ResourceType: 'ACL' },
    ],
    [
      'a second subresource',
      'GET /{box}?acl&policy',
      {},
      { status: 400, Code: 'InvalidArgument', ArgumentName: 'policy', ArgumentValue: '' },
    ],
  ]);
});
