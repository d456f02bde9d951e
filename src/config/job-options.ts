/** Describes the options of a job in `config.yaml` for help texts and forms. */

import { defined } from '../base/defined.ts';
import { firstProblem } from './piece.ts';
import { type JobEntry, jobShape } from './schema.ts';

/** The sections of forms, in display order. */
export const OPTION_GROUPS = [
  'Source and destination',
  'Files',
  'Protection',
  'Timing',
  'Network',
] as const;
export type OptionGroup = (typeof OPTION_GROUPS)[number];

interface OptionText {
  /** The label of the option in forms. */
  readonly label: string;
  readonly group: OptionGroup;
  readonly description: string;
  /** An example value in the syntax that `readOptionValue` parses. */
  readonly example?: string;
  /**
   * The effect of omitting the option. Absent if the option is required, or if its default needs no
   * explanation.
   */
  readonly unset?: string;
  /** Labels for allowed values, if forms show a different word than the value itself. */
  readonly choiceTexts?: Readonly<Record<string, string>>;
}

export interface JobOption extends OptionText {
  readonly name: string;
  /** The default value. Absent if the option has no default. */
  readonly byDefault?: unknown;
  /** The allowed values. Absent if the option also accepts other values. */
  readonly choices?: readonly string[];
}

const TEXTS: Readonly<Record<keyof JobEntry, OptionText>> = {
  name: { label: 'name', group: 'Source and destination', description: 'name of the job' },
  folder: { label: 'folder', group: 'Source and destination', description: 'folder to back up' },
  bucket: {
    label: 'bucket',
    group: 'Source and destination',
    description: 'bucket that contains the backup',
  },
  prefix: {
    label: 'prefix',
    group: 'Source and destination',
    description: 'beginning of all keys in the bucket',
    example: 'laptop/',
    unset: 'the whole bucket',
  },
  target: {
    label: 'target',
    group: 'Source and destination',
    description: 'local for the embedded store, or the name of a target',
  },
  also: {
    label: 'further targets',
    group: 'Source and destination',
    description: 'further targets',
    example: '[{target: offsite, bucket: photos-offsite}]',
    unset: 'none',
  },
  paused: { label: 'paused', group: 'Timing', description: 'pauses the job' },
  exclude: {
    label: 'exclude',
    group: 'Files',
    description: 'patterns of excluded files as in .gitignore',
    example: '*.tmp, cache/',
    unset: 'none',
  },
  cacheDirs: {
    label: 'cache folders',
    group: 'Files',
    description: 'content of folders with a CACHEDIR.TAG',
  },
  oneFileSystem: {
    label: 'one file system',
    group: 'Files',
    description: 'excludes file systems that are mounted in the folder',
  },
  conflict: {
    label: 'conflict',
    group: 'Protection',
    description: 'which side remains if both changed',
    choiceTexts: { 'keep-both': 'both', remote: 'bucket' },
  },
  drift: {
    label: 'drift',
    group: 'Protection',
    description: 'what happens if another client changed an object',
  },
  conflictWindowDays: {
    label: 'conflict lock',
    group: 'Protection',
    description: 'days for which the superseded side of a conflict is locked',
  },
  lock: {
    label: 'lock',
    group: 'Protection',
    description: 'lock of each version',
    example: '30d or COMPLIANCE 1y',
    unset: 'no lock',
  },
  minVersionInterval: {
    label: 'version interval',
    group: 'Protection',
    description: 'minimum time between two versions of a file',
    example: '10m',
    unset: 'none',
  },
  keep: {
    label: 'keep',
    group: 'Protection',
    description: 'earlier versions to keep',
    example: 'smart, 30d, or all 7d, daily 30d',
    unset: 'all versions',
  },
  attributes: {
    label: 'attributes',
    group: 'Files',
    description: 'headers, tags and ACLs',
    example: "[{match: '*.html', acl: public-read}]",
    unset: 'none',
  },
  carry: {
    label: 'copy attributes',
    group: 'Files',
    description: 'copies the attributes of an object to its next version',
  },
  verifyUploads: {
    label: 'verify uploads',
    group: 'Protection',
    description: 'downloads and compares each upload',
  },
  customerKey: {
    label: 'own key',
    group: 'Protection',
    description: 'key of your own for encryption by the service',
    example: '{file: ~/keys/a.key}',
    unset: 'none',
  },
  rescanMinutes: {
    label: 'rescan interval',
    group: 'Timing',
    description: 'minutes between two scans of the whole folder',
    example: '2h',
  },
  verifyDays: {
    label: 'verification pass',
    group: 'Protection',
    description: 'days to download and verify all content once; 0 for never',
  },
  verifyMegabytesPerDay: {
    label: 'verification limit',
    group: 'Network',
    description: 'maximum download per day for verification',
    example: '500MB',
    unset: 'as much as a pass needs',
  },
  unguarded: {
    label: 'unguarded',
    group: 'Protection',
    description: 'permits an unversioned bucket without conditional writes',
  },
  heartbeatUrl: {
    label: 'heartbeat URL',
    group: 'Network',
    description: 'URL to request every five minutes while the job is in order',
    unset: 'none',
  },
  bandwidth: {
    label: 'rate limit',
    group: 'Network',
    description: 'rate limit, such as 5MB/s, or a list of them by time of day',
    unset: 'unlimited',
  },
  schedule: {
    label: 'schedule',
    group: 'Timing',
    description: 'when the job runs, as a cron expression',
    example: '0 2 * * *',
    unset: 'always',
  },
  window: {
    label: 'time of day',
    group: 'Timing',
    description: 'time of day in which the job runs',
    example: '22:00-06:00',
    unset: 'all day',
  },
  onBattery: { label: 'on battery', group: 'Timing', description: 'on battery' },
  onMetered: {
    label: 'on a metered network',
    group: 'Network',
    description: 'on a metered network',
  },
  priority: {
    label: 'priority',
    group: 'Network',
    description: 'order of transfers at the same target',
  },
};

/** Returns the options in the order of the schema. */
export function jobOptions(): readonly JobOption[] {
  return Object.entries(jobShape.shape).map(([name, schema]) => {
    const { data: byDefault } = schema.safeParse(undefined);
    const choices = choicesOf(name);
    return Object.assign({ name }, TEXTS[name as keyof JobEntry], defined({ byDefault, choices }));
  });
}

/** Returns the allowed values of the option. Returns undefined if it also accepts other values. */
export function choicesOf(option: string): readonly string[] | undefined {
  const inner = innerSchema(option);
  if (inner?.def.type === 'boolean') return ['true', 'false'];
  return inner?.def.type === 'enum' ? Object.values(inner.def.entries ?? {}) : undefined;
}

/**
 * Returns whether the value of the option is a string in `config.yaml`. Forms accept a string without quotes.
 */
export function isText(option: string): boolean {
  return innerSchema(option)?.def.type === 'string';
}

/** Returns why the schema rejects a value of the option, or undefined if it accepts the value. */
export function optionProblem(option: string, value: unknown): string | undefined {
  const schema = schemaOf(option);
  return schema && firstProblem(schema, value);
}

function schemaOf(option: string) {
  return Object.entries(jobShape.shape).find(([name]) => name === option)?.[1];
}

interface Described {
  readonly def: {
    readonly type: string;
    readonly entries?: Readonly<Record<string, string>>;
    /** The wrapped schema of an `optional` or `default` schema. */
    readonly innerType?: unknown;
    /** The input schema of a schema with a transformation. */
    readonly in?: unknown;
  };
}

/** Returns the schema of the value as written, without its default and transformations. */
function innerSchema(option: string): Described | undefined {
  let schema: unknown = schemaOf(option);
  while (isDescribed(schema)) {
    const inner = schema.def.innerType ?? schema.def.in;
    if (inner === undefined) return schema;
    schema = inner;
  }
  return undefined;
}

function isDescribed(schema: unknown): schema is Described {
  return typeof schema === 'object' && schema !== null && 'def' in schema;
}
