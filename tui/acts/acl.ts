/** Edits the ACL of an object or a bucket: a canned ACL, or individual grants. */

import type { Result } from '../../src/control/messages.ts';
import type { Ui } from '../ui/ui.ts';
import { grouped } from '../widgets/field-checks.ts';
import { FormOverlay } from '../widgets/form.ts';
import type { Field, FormValues } from '../widgets/form.ts';
import { asked } from '../data/place.ts';
import type { BucketPlace, ObjectPlace } from '../data/place.ts';
import { GRANT_HELP, grantOf, grantText } from '../text/grants.ts';
import { shownName } from './names.ts';

type Grant = Result<'acl.get'>['grants'][number];

const AS_BELOW = 'as below';
const CANNED = [
  AS_BELOW,
  'private',
  'public-read',
  'public-read-write',
  'authenticated-read',
  'bucket-owner-read',
  'bucket-owner-full-control',
] as const;
/** The canned ACLs for buckets. The last two canned ACLs have no effect on a bucket. */
const BUCKET_CANNED = CANNED.slice(0, 5);

/** The maximum number of grants in an ACL (S3 limit). */
const MOST_GRANTS = 100;
const SPARE = 3;

export async function openAclForm(
  ui: Ui,
  place: BucketPlace | ObjectPlace,
  changed: () => void,
): Promise<void> {
  const isObject = 'key' in place;
  const { owner, grants } = await ui.call('acl.get', asked(place));
  const others = grants.filter(
    (grant) => !(grant.grantee === owner && grant.permission === 'FULL_CONTROL'),
  );
  const name = isObject ? shownName(place.key, ui.look) : ui.look.name(place.bucket);
  ui.openOverlay(
    new FormOverlay(ui, {
      title: `Permissions of other users: ${name}`,
      said: [
        `The owner, ${ui.look.name(owner)}, has full access. read-acl and write-acl apply to this list of grants.`,
      ],
      fields: [
        ...grouped('Canned ACL', [
          {
            name: 'canned',
            label: 'ACL',
            value: AS_BELOW,
            choices: isObject ? CANNED : BUCKET_CANNED,
            help: 'a canned ACL replaces the grants below; default: as below',
          },
        ]),
        ...grouped('Grants', grantFields(others)),
      ],
      submit: async (values) => {
        const canned = values['canned'] ?? AS_BELOW;
        const list = canned === AS_BELOW ? { grants: grantsOf(values) } : { canned };
        await ui.call('acl.set', { ...asked(place), ...list });
        ui.notify(`saved the permissions of ${name}`);
        changed();
      },
    }),
  );
}

function grantFields(grants: readonly Grant[]): Field[] {
  return Array.from({ length: Math.min(MOST_GRANTS, grants.length + SPARE) }, (_, index) => {
    const grant = grants[index];
    return {
      name: `grant${index}`,
      label: `grant ${index + 1}`,
      value: grant ? grantText(grant) : '',
      placeholder: 'no grant',
      help: `such as read:authenticated; ${GRANT_HELP}`,
      check: (text: string) => (text.trim() === '' || grantOf(text) ? undefined : GRANT_HELP),
    };
  });
}

function grantsOf(values: FormValues) {
  return Object.entries(values)
    .filter(([name]) => name.startsWith('grant'))
    .map(([, text]) => grantOf(text))
    .filter((grant) => grant !== undefined);
}
