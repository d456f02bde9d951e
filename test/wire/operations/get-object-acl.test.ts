/** Tests of GetObjectAcl over HTTP. */

import { expect, test } from 'vitest';
import { shownAcl } from '../../helpers/acl-questions.ts';
import { refusesTagTargets } from '../../helpers/tag-questions.ts';
import { GRANTEES, stranger, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

inBothDialects(new WireBench(), (wire) => {
  const line = 'GET /{box}/a?acl';
  const answer = (grants: Parameters<typeof shownAcl>[0]) => ({
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: `<AccessControlPolicy xmlns="${wire.dialect.xmlNamespace}">${shownAcl(grants)}</AccessControlPolicy>`,
  });
  const own = ['p1:ada@c1', 'FULL_CONTROL'] as const;

  test('[acl-1] the ACL of a new object grants FULL_CONTROL to its owner, and nothing to other users', async () => {
    await wire.put('a', 'x');
    expect(await wire.ask(line)).toEqual(answer([own]));
  });

  test('[acl-9] [acl-28] GetObjectAcl with a version id returns the ACL of that version, with groups before users', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'x', { name: 'v1', acl: { canned: 'public-read' } });
    await wire.put('a', 'x', { name: 'v2' });
    expect(await wire.ask(`${line}&versionId={v1}`)).toEqual(answer([['AllUsers', 'READ'], own]));
    expect(await wire.ask(`${line}&versionId={v2}`)).toEqual(answer([own]));
    expect(await wire.ask(line)).toEqual(answer([own]));
  });

  test('[acl-2] READ_ACP permits GetObjectAcl, and READ does not', async () => {
    for (const [permission, status] of [
      ['READ', 403],
      ['READ_ACP', 200],
    ] as const) {
      await wire.put('a', 'x', { acl: { grants: [{ grantee: GRANTEES.user, permission }] } });
      expect((await wire.send(line, { as: stranger })).status).toBe(status);
    }
  });

  refusesTagTargets(wire, line);
});
