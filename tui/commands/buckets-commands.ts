/** The commands on the screen that lists the buckets. */

import type { Command } from './command.ts';

export const BUCKETS_COMMANDS = [
  { id: 'buckets.create', title: 'create a bucket', keys: ['n'], hint: 'new' },
  { id: 'buckets.newTarget', title: 'new target: another S3 service', keys: ['N'] },
  { id: 'buckets.openByName', title: 'open a bucket by its name', keys: ['b'], hint: 'by name' },
  { id: 'buckets.settings', title: 'settings of the bucket', keys: ['e'], hint: 'settings' },
  { id: 'buckets.delete', title: 'delete the bucket', keys: ['D'], danger: 3, hint: 'delete' },
  {
    id: 'buckets.usage',
    title: 'what fills the bucket: sizes of folders',
    keys: ['z'],
    hint: 'sizes',
  },
  { id: 'buckets.forget', title: 'forget a bucket opened by name', keys: ['x'], offline: true },
] as const satisfies readonly Command[];
