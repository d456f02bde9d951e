/** Generates the tables of docs/reference/configuration.md from the schema of `config.yaml`. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { alertsShape } from '../../src/config/alerts.ts';
import { clustersShape } from '../../src/config/cluster-schema.ts';
import { jobOptions } from '../../src/config/job-options.ts';
import { jobShape, storageShape, targetShape, topShape } from '../../src/config/schema.ts';

const EXAMPLE = join(import.meta.dirname, '../../config.example.yaml');

/**
 * Part of a JSON Schema. It also has the default value of the option, and the reason for which the
 * schema rejects a value.
 */
interface Part {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
  readonly anyOf?: readonly Part[];
  readonly required?: readonly string[];
  /** Reason for which the schema rejects a value, without the words `must be`. */
  readonly reason?: string;
}

/**
 * Values that no option accepts. The error message of a schema for these values says which values
 * it accepts.
 */
const REJECTED = ['\0', -1.5, [], {}];

/** Returns the values that a schema accepts, in the words of its error messages. */
function reasonOf(schema: z.ZodType): string | undefined {
  return REJECTED.flatMap((value) => schema.safeParse(value).error?.issues ?? [])
    .filter(({ path, message }) => path.length === 0 && message.startsWith('must be '))
    .map(({ message }) => message.slice('must be '.length))[0];
}

function partOf(schema: z.ZodType): Part {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const own = zodSchema as unknown as z.ZodType;
      const reason = reasonOf(own);
      if (reason !== undefined) Object.assign(jsonSchema, { reason });
      const byDefault = own.safeParse(undefined);
      if (byDefault.success && byDefault.data !== undefined && jsonSchema.default === undefined)
        Object.assign(jsonSchema, { default: byDefault.data });
    },
  }) as Part;
}

interface Row {
  readonly name: string;
  readonly accepts: string;
  readonly byDefault: string;
}

/**
 * Returns the rows of an option. `without` is the effect of an option that is not set and has no
 * default value.
 */
function rowsOf(name: string, part: Part, without = ''): Row[] {
  if (part.properties !== undefined) {
    const { properties, required = [] } = part;
    return Object.entries(properties).flatMap(([key, each]) => {
      const path = name === '' ? key : `${name}.${key}`;
      const isRequired = required.includes(key) && each.default === undefined;
      return rowsOf(path, each, isRequired ? 'required' : '');
    });
  }
  if (part.items?.properties !== undefined) return rowsOf(`${name}[]`, part.items);
  return [
    { name, accepts: acceptsOf(part), byDefault: defaultText(name, part.default) || without },
  ];
}

function acceptsOf(part: Part): string {
  if (part.enum !== undefined) return part.enum.map((each) => `\`${String(each)}\``).join(', ');
  if (part.reason !== undefined && part.type !== 'number') return part.reason;
  if (part.type === 'boolean') return '`true`, `false`';
  if (part.type === 'number' || part.type === 'integer')
    return [
      part.type === 'integer' ? 'a whole number' : 'a number',
      part.minimum === undefined ? '' : `from ${part.minimum}`,
      part.maximum === undefined ? '' : `to ${part.maximum}`,
    ]
      .filter(Boolean)
      .join(' ');
  if (part.type === 'array') return 'a list';
  if (part.type === 'string') return 'text';
  return part.reason ?? 'a map of keys and values';
}

const TIB = 1024 ** 4;

function defaultText(name: string, value: unknown): string {
  if (value === undefined) return '';
  if (name.startsWith('storage.quotas.bytesPer')) return `\`${Number(value) / TIB}TiB\``;
  return `\`${typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}\``;
}

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ name, accepts, byDefault }) =>
      `| \`${name}\` | ${accepts.replaceAll('|', '\\|')} | ${byDefault.replaceAll('|', '\\|')} |`,
  );
  return ['| option | accepts | default |', '| --- | --- | --- |', ...lines].join('\n');
}

const SECTIONS = new Set(['storage', 'clusters', 'alerts', 'targets', 'jobs']);

/** Returns one table for each section of `config.yaml` except `jobs`. */
export function configurationTables(): string {
  const top = rowsOf('', partOf(topShape)).filter(({ name }) => !SECTIONS.has(name));
  const tables: readonly (readonly [string, readonly Row[]])[] = [
    ['The daemon', top],
    ['`storage`: the embedded store', rowsOf('storage', partOf(storageShape))],
    ['`targets`: remote services', rowsOf('targets[]', partOf(targetShape))],
    ['`alerts`: notifications about jobs', rowsOf('alerts', partOf(alertsShape))],
    ['`clusters`: node groups', rowsOf('clusters', partOf(clustersShape))],
  ];
  return tables.map(([title, rows]) => `## ${title}\n\n${tableOf(rows)}`).join('\n\n');
}

export function jobOptionsTable(): string {
  const { properties = {} } = partOf(jobShape);
  const rows = jobOptions().map(({ name, description, unset, byDefault }) => {
    const accepts = acceptsOf(properties[name] ?? {}).replaceAll('|', '\\|');
    const without = unset ?? (defaultText(name, byDefault) || 'required');
    return `| \`${name}\` | ${description} | ${accepts} | ${without} |`;
  });
  return ['| option | meaning | accepts | default |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

/** Returns the annotated example configuration as a code block. */
export function exampleBlock(): string {
  return `\`\`\`yaml\n${readFileSync(EXAMPLE, 'utf8').trimEnd()}\n\`\`\``;
}
