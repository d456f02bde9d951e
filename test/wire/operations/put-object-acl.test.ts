/** Tests of PutObjectAcl over HTTP. */

import { expect, test } from 'vitest';
import { aclDocument, READ_FOR_ALL, refusesBadAcls } from '../../helpers/acl-questions.ts';
import { refusesTagTargets } from '../../helpers/tag-questions.ts';
import { GRANTEES, stranger, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'PUT /{box}/a?acl';
  const grants = async (versionId?: string) =>
    (
      await wire.store.getObjectAcl({
        bucket: wire.get('box'),
        key: 'a',
        ...(versionId !== undefined && { versionId }),
      })
    ).grants.map(({ grantee, permission }) => `${grantee} ${permission}`);
  const done = { status: 200, headers: { 'content-length': '0' }, body: '' };
  const own = 'p1:ada@c1 FULL_CONTROL';
  const publicRead = { headers: { 'x-*-acl': 'public-read' } };

  test.each(['private', 'bucket-owner-read', 'bucket-owner-full-control'])(
    '[acl-3] PutObjectAcl accepts the canned ACL %s on an object of the bucket owner',
    async (acl) => {
      await wire.put('a', 'x');
      expect(await wire.ask(line, { headers: { 'x-*-acl': acl } })).toEqual(done);
      expect(await grants()).toEqual([own]);
    },
  );

  test('[acl-5] PutObjectAcl accepts grants in headers or in an XML body', async () => {
    await wire.put('a', 'x');
    expect(await wire.ask(line, publicRead)).toEqual(done);
    expect(await grants()).toEqual(['AllUsers READ', own]);
    expect(await wire.ask(line, aclDocument(READ_FOR_ALL))).toEqual(done);
    expect(await grants()).toEqual(['AllUsers READ']);
  });

  test('[acl-9] PutObjectAcl with a version id changes only the ACL of that version', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'x', { name: 'v1' });
    await wire.put('a', 'x', { name: 'v2' });
    expect(await wire.ask(`${line}&versionId={v1}`, publicRead)).toEqual(done);
    expect([await grants(wire.get('v1')), await grants()]).toEqual([['AllUsers READ', own], [own]]);
  });

  test('[acl-10] overwriting an object or copying onto it resets its ACL', async () => {
    await wire.put('a', 'x');
    await wire.put('b', 'x', { acl: { canned: 'public-read' } });
    await wire.ask(line, publicRead);
    await wire.send('PUT /{box}/a', { body: 'y' });
    expect(await grants()).toEqual([own]);
    await wire.ask(line, publicRead);
    await wire.send('PUT /{box}/a', { headers: { 'x-*-copy-source': '/{box}/b' } });
    expect(await grants()).toEqual([own]);
  });

  test('[acl-8] WRITE_ACP permits PutObjectAcl, and WRITE does not', async () => {
    for (const [permission, status] of [
      ['WRITE', 403],
      ['WRITE_ACP', 200],
    ] as const) {
      await wire.put('a', 'x', { acl: { grants: [{ grantee: GRANTEES.project, permission }] } });
      expect((await wire.send(line, { ...publicRead, as: stranger })).status).toBe(status);
    }
  });

  refusesTagTargets(wire, line, publicRead);
  refusesBadAcls(wire, line, () => wire.put('a', 'x'));
});
