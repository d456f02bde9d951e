/** Describes the options of a job in `config.yaml` for help texts and forms. */

import { defined } from '../base/defined.ts';
import { type JobEntry, jobShape } from './schema.ts';

export interface JobOption {
  readonly name: string;
  readonly description: string;
  /** Absent if the option has no default. */
  readonly byDefault?: unknown;
  /** Absent if the option accepts other values, too. */
  readonly choices?: readonly string[];
}

const DESCRIPTIONS: Readonly<Record<keyof JobEntry, string>> = {
  name: 'name of the job',
  folder: 'folder to back up',
  bucket: 'bucket that contains the backup',
  prefix: 'beginning of all keys in the bucket, such as laptop/',
  target: 'local for the embedded store, or the name of a target',
  also: 'further targets, such as [{target: offsite, bucket: photos-offsite}]',
  paused: 'pauses the job',
  exclude: "patterns of excluded files as in .gitignore, such as ['*.tmp', cache/]",
  cacheDirs: 'content of folders with a CACHEDIR.TAG',
  oneFileSystem: 'excludes file systems that are mounted in the folder',
  conflict: 'which side remains if both changed',
  drift: 'what happens if another client changed an object',
  conflictWindowDays: 'days for which the superseded side of a conflict is locked',
  lock: 'lock of each version, such as {mode: GOVERNANCE, days: 30}',
  minVersionInterval: 'minimum time between two versions of a file, such as 10m',
  keep: 'earlier versions to keep: smart, or {all: 7d, daily: 30d, weekly: 1y}',
  attributes: "headers, tags and ACLs, such as [{match: '*.html', acl: public-read}]",
  carry: 'copies the attributes of an object to its next version',
  verifyUploads: 'downloads and compares each upload',
  customerKey: 'key of your own for encryption by the service, such as {file: ~/keys/a.key}',
  rescanMinutes: 'minutes between two scans of the whole folder',
  verifyDays: 'days to download and verify all content once; 0 for never',
  verifyMegabytesPerDay: 'maximum download per day for verification',
  unguarded: 'permits an unversioned bucket without conditional writes',
  heartbeatUrl: 'URL to request every five minutes while the job is in order',
  bandwidth: 'rate limit, such as 5MB/s, or a list of them by time of day',
  schedule: "when the job runs, as a cron expression such as '0 2 * * *'",
  window: 'time of day in which the job runs, such as 22:00-06:00',
  onBattery: 'on battery',
  onMetered: 'on a metered network',
  priority: 'order of transfers at the same target',
};

/** Returns the options in the order of the schema. */
export function jobOptions(): readonly JobOption[] {
  return Object.entries(jobShape.shape).map(([name, schema]) => {
    const { data: byDefault } = schema.safeParse(undefined);
    const choices = choicesOf(name);
    const description = DESCRIPTIONS[name as keyof JobEntry];
    return Object.assign({ name, description }, defined({ byDefault, choices }));
  });
}

/** Returns the only values that the option accepts. Returns undefined if it accepts other values, too. */
export function choicesOf(option: string): readonly string[] | undefined {
  const schema = Object.entries(jobShape.shape).find(([name]) => name === option)?.[1];
  const inner: unknown = schema && 'unwrap' in schema ? schema.unwrap() : schema;
  if (!isDescribed(inner)) return undefined;
  if (inner.def.type === 'boolean') return ['true', 'false'];
  return inner.def.type === 'enum' ? Object.values(inner.def.entries ?? {}) : undefined;
}

interface Described {
  readonly def: { readonly type: string; readonly entries?: Readonly<Record<string, string>> };
}

function isDescribed(schema: unknown): schema is Described {
  return typeof schema === 'object' && schema !== null && 'def' in schema;
}
