/** The form for a new bucket. */

import { isBucketName } from '../../../src/config/bucket-name.ts';
import { LOCAL_TARGET } from '../../../src/control/local-target.ts';
import type { Ui } from '../../ui/ui.ts';
import { FormOverlay } from '../../widgets/form.ts';
import type { FormValues } from '../../widgets/form.ts';
import { asked, bucketText } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';

const NAME_RULE =
  '3 to 63 characters: a-z, 0-9, dots and hyphens; no two dots in a row, not an IP address';

export interface NewBucket {
  /** The names of all stores. The preselected store is first, and `local` precedes the others. */
  readonly targets: readonly string[];
  readonly created: (place: BucketPlace) => void;
}

export function openCreateForm(ui: Ui, { targets, created }: NewBucket): void {
  const first = targets[0] ?? LOCAL_TARGET;
  ui.openOverlay(
    new FormOverlay(ui, {
      title: 'New bucket',
      act: 'create',
      fields: [
        { name: 'bucket', label: 'name', help: NAME_RULE, check: checkName },
        {
          name: 'target',
          label: 'target',
          value: first,
          choices: targets,
          help: 'local is the embedded store',
        },
        {
          name: 'versioning',
          label: 'versioning',
          value: 'on',
          choices: ['on', 'off'],
          help: 'keeps overwritten and deleted objects; you can suspend it later',
          check: (text, all) =>
            text === 'off' && all['objectLock'] === 'on'
              ? 'object lock needs versioning'
              : undefined,
        },
        {
          name: 'objectLock',
          label: 'object lock',
          value: 'off',
          choices: ['off', 'on'],
          help: 'allows locks; cannot be changed later, and versioning cannot be suspended',
        },
      ],
      submit: (values) => create(ui, values, created),
    }),
  );
}

async function create(ui: Ui, values: FormValues, created: NewBucket['created']): Promise<void> {
  const { bucket = '', target = LOCAL_TARGET, versioning, objectLock } = values;
  const place = { target, bucket };
  await ui.call('buckets.create', {
    ...asked(place),
    versioning: versioning === 'on',
    objectLock: objectLock === 'on',
  });
  ui.notify(`created ${bucketText(place)}`);
  created(place);
}

function checkName(name: string): string | undefined {
  return isBucketName(name) ? undefined : NAME_RULE;
}
