/** The entry of a job as `config.yaml` has it, beside what would hold without it. */

import { readDocument } from './document.ts';
import { partsOfName } from './job-name.ts';
import { jobShape } from './schema.ts';

type Members = Readonly<Record<string, unknown>>;

export interface JobSettings {
  /** What the entry says, in its own words. */
  readonly settings: Members;
  /** What holds where it says nothing: of another target of a job, what the job says. Options without a value are absent. */
  readonly defaults: Members;
  /** All there are. */
  readonly options: readonly string[];
}

/** `text` must be valid. Undefined when there is no job of that name. */
export function settingsOf(text: string, name: string): JobSettings | undefined {
  const parts = partsOfName(name);
  const { jobs } = asMap(readDocument(text).data);
  const job = asList(jobs).find((each) => each['name'] === (parts?.job ?? name));
  if (!job) return undefined;
  const options = Object.keys(jobShape.shape);
  if (!parts) return { settings: job, defaults: defaults(), options };
  const { also, heartbeatUrl: _, ...inherited } = job;
  const entry = asList(also).find((each) => each['target'] === parts.target);
  return entry && { settings: entry, defaults: { ...defaults(), ...inherited }, options };
}

function defaults(): Members {
  const parsed = Object.entries(jobShape.shape).map(([key, schema]) => [
    key,
    schema.safeParse(undefined).data,
  ]);
  return Object.fromEntries(parsed.filter(([, value]) => value !== undefined)) as Members;
}

function asList(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(asMap) : [];
}

function asMap(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}
