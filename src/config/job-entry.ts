/** Reads the entry of a job in `config.yaml`, and the defaults of its options. */

import { readDocument } from './document.ts';
import { partsOfName } from './job-name.ts';
import { jobOptions } from './job-options.ts';

type Members = Readonly<Record<string, unknown>>;

export interface JobSettings {
  /** The options in the entry, as written. */
  readonly settings: Members;
  /**
   * The values of options that the entry omits. An additional target of a job inherits them from the job. Options
   * without a default are absent.
   */
  readonly defaults: Members;
  /** The names of all options. */
  readonly options: readonly string[];
}

/** Returns the settings of a job, or undefined if the job does not exist. `text` must be valid. */
export function settingsOf(text: string, name: string): JobSettings | undefined {
  const parts = partsOfName(name);
  const { jobs } = asMap(readDocument(text).data);
  const job = asList(jobs).find((each) => each['name'] === (parts?.job ?? name));
  if (!job) return undefined;
  const options = jobOptions().map((option) => option.name);
  if (!parts) return { settings: job, defaults: defaults(), options };
  const { also, heartbeatUrl: _, ...inherited } = job;
  const entry = asList(also).find((each) => each['target'] === parts.target);
  return entry && { settings: entry, defaults: { ...defaults(), ...inherited }, options };
}

function defaults(): Members {
  const values = jobOptions().map(({ name, byDefault }) => [name, byDefault] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function asList(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(asMap) : [];
}

function asMap(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}
