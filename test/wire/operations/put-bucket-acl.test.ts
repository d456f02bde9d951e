/** Tests of PutBucketAcl over HTTP. */

import { expect, test } from 'vitest';
import { aclDocument, READ_FOR_ALL, refusesBadAcls } from '../../helpers/acl-questions.ts';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { GRANTEES, stranger, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'PUT /{box}?acl';
  const bucket = () => wire.get('box');
  const grants = async () =>
    (await wire.store.getBucketAcl({ bucket: bucket() })).grants.map(
      ({ grantee, permission }) => `${grantee} ${permission}`,
    );
  const done = { status: 200, headers: { 'content-length': '0' }, body: '' };
  const own = 'p1:ada@c1 FULL_CONTROL';

  test.each([
    ['private', [own]],
    ['public-read', ['AllUsers READ', own]],
    ['public-read-write', ['AllUsers READ', 'AllUsers WRITE', own]],
    ['authenticated-read', ['AuthenticatedUsers READ', own]],
    // S3 defines these canned ACLs for objects. On a bucket they have no further effect.
    ['bucket-owner-read', [own]],
    ['bucket-owner-full-control', [own]],
  ])('[acl-3] PutBucketAcl accepts the canned ACL %s', async (acl, expected) => {
    expect(await wire.ask(line, { headers: { 'x-*-acl': acl } })).toEqual(done);
    expect(await grants()).toEqual(expected);
  });

  test('[acl-4] PutBucketAcl accepts grant headers with several grantees, and does not add a grant for the owner', async () => {
    const headers = {
      'x-*-grant-read': `id="${GRANTEES.project}", uri="http://acs.amazonaws.com/groups/global/AllUsers"`,
      'x-*-grant-write': `id=${GRANTEES.user}`,
      'x-*-grant-read-acp': `emailAddress="${GRANTEES.email}"`,
      'x-*-grant-write-acp': 'URI="http://acs.amazonaws.com/groups/global/AuthenticatedUsers"',
      'x-*-grant-full-control': 'id="p1:bob@c1"',
    };
    expect(await wire.ask(line, { headers })).toEqual(done);
    expect(await grants()).toEqual([
      'AllUsers READ',
      'AuthenticatedUsers WRITE_ACP',
      'p2@c1 READ',
      'p2:eve@c1 WRITE',
      'p2@c1 READ_ACP',
      'p1:bob@c1 FULL_CONTROL',
    ]);
  });

  test('[acl-5] PutBucketAcl accepts an XML body, and derives the type of a grantee from its elements', async () => {
    const given = aclDocument(`<Owner><ID>p1:ada@c1</ID><DisplayName>ada</DisplayName></Owner>
      <AccessControlList>
        <Grant>
          <Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="CanonicalUser">
            <ID>p2@c1</ID><DisplayName>x</DisplayName>
          </Grantee>
          <Permission>READ</Permission>
        </Grant>
        <Grant>
          <Grantee><URI>http://acs.amazonaws.com/groups/global/AllUsers</URI></Grantee>
          <Permission>READ_ACP</Permission>
        </Grant>
      </AccessControlList>`);
    expect(await wire.ask(line, given)).toEqual(done);
    expect(await grants()).toEqual(['AllUsers READ_ACP', 'p2@c1 READ']);
  });

  test('[acl-5] PutBucketAcl accepts an XML body without an owner, and an XML body without grants', async () => {
    expect(await wire.ask(line, aclDocument(READ_FOR_ALL))).toEqual(done);
    expect(await grants()).toEqual(['AllUsers READ']);
    expect(await wire.ask(line, aclDocument('<AccessControlList/>'))).toEqual(done);
    expect(await grants()).toEqual([]);
    expect((await wire.send('GET /{box}?list-type=2')).status).toBe(200);
  });

  test('[acl-6] PutBucketAcl accepts a hundred grants', async () => {
    const headers = { 'x-*-grant-read': Array<string>(100).fill('id="p2@c1"').join() };
    expect(await wire.ask(line, { headers })).toEqual(done);
    expect(await grants()).toHaveLength(100);
  });

  test('[acl-7] PutBucketAcl replaces the previous ACL', async () => {
    await wire.ask(line, { headers: { 'x-*-acl': 'public-read' } });
    await wire.ask(line, { headers: { 'x-*-acl': 'private' } });
    expect(await grants()).toEqual([own]);
  });

  test('[acl-8] WRITE_ACP permits PutBucketAcl, and WRITE does not', async () => {
    for (const [permission, status] of [
      ['WRITE', 403],
      ['WRITE_ACP', 200],
    ] as const) {
      const acl = { grants: [{ grantee: GRANTEES.project, permission }] };
      await wire.store.putBucketAcl({ bucket: bucket(), acl });
      const answer = await wire.send(line, { headers: { 'x-*-acl': 'private' }, as: stranger });
      expect(answer.status).toBe(status);
    }
  });

  refusesStrangers(wire, line, { headers: { 'x-*-acl': 'public-read' } });
  refusesBadAcls(wire, line);
});
