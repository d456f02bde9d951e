/**
 * Generates the tables of docs/reference/control-protocol.md, and the JSON Schemas of the control
 * protocol, from the declared methods.
 */

import { z } from 'zod';

import { eventSchema, NOTIFICATIONS } from '../../src/control/first-messages.ts';
import { lifecycleRunSchema } from '../../src/control/lifecycle-shapes.ts';
import { isTime } from '../../src/cli/output/output.ts';
import { METHODS } from '../../src/control/messages.ts';
import type { MethodDeclaration } from '../../src/control/method.ts';
import { conflictSchema } from '../../src/control/methods/conflicts.ts';
import { keySchema } from '../../src/control/methods/keys.ts';
import {
  attributesSchema,
  changesSchema,
  describedObjectSchema,
  retentionSchema,
  tagSchema,
  transferSchema,
} from '../../src/control/methods/objects.ts';
import {
  alarmDefinitionSchema,
  alarmSchema,
  bucketMetricsSchema,
} from '../../src/control/methods/monitoring.ts';
import { corsRuleSchema } from '../../src/control/methods/cors.ts';
import { lifecycleChangeSchema, lifecycleRuleSchema } from '../../src/control/methods/lifecycle.ts';
import { groupSchema, projectSchema } from '../../src/control/methods/projects.ts';
import { userSchema } from '../../src/control/methods/users.ts';
import { routingRuleSchema, websiteSchema } from '../../src/control/methods/websites.ts';
import {
  jobCountsSchema,
  jobLocksSchema,
  jobStatusSchema,
  listenerSchema,
  objectInfoSchema,
  problemSchema,
} from '../../src/control/shapes.ts';
import {
  storeCheckSchema,
  storeHealthSchema,
  storeProblemSchema,
} from '../../src/control/store-shapes.ts';

/** Subset of JSON Schema that zod generates for the messages. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/**
 * Object types that several messages use, or that are too long for a table cell. Each gets its own
 * table row.
 */
const SHAPES = {
  Job: jobStatusSchema,
  Counts: jobCountsSchema,
  Locks: jobLocksSchema,
  Conflict: conflictSchema,
  Key: keySchema,
  User: userSchema,
  Project: projectSchema,
  Group: groupSchema,
  Problem: problemSchema,
  Listener: listenerSchema,
  ObjectInfo: objectInfoSchema,
  Attributes: attributesSchema,
  Changes: changesSchema,
  Tag: tagSchema,
  ObjectDescription: describedObjectSchema,
  Retention: retentionSchema,
  Website: websiteSchema,
  RoutingRule: routingRuleSchema,
  CorsRule: corsRuleSchema,
  LifecycleRule: lifecycleRuleSchema,
  LifecycleRun: lifecycleRunSchema,
  LifecycleChange: lifecycleChangeSchema,
  Transfer: transferSchema,
  BucketMetrics: bucketMetricsSchema,
  Alarm: alarmSchema,
  AlarmDefinition: alarmDefinitionSchema,
  Store: storeHealthSchema,
  StoreCheck: storeCheckSchema,
  StoreProblem: storeProblemSchema,
};

const schemaOf = (type: z.ZodType) => z.toJSONSchema(type, { io: 'input' }) as Schema;

export function methodsTable(): string {
  const rows = Object.entries<MethodDeclaration>(METHODS).map(
    ([name, { summary, danger, params, result }]) =>
      `| \`${name}\` | ${summary} | ${danger} | ${cell(params)} | ${cell(result)} |`,
  );
  const head = [
    '| method | what it does | danger | parameters | result |',
    '| --- | --- | --- | --- | --- |',
  ];
  return [...head, ...rows].join('\n');
}

export function notificationsTable(): string {
  const rows = Object.entries(NOTIFICATIONS).map(([name, params]) => {
    const text = name === 'event' ? '`seq, at, event` (below)' : cell(params);
    return `| \`${name}\` | ${text} |`;
  });
  return ['| notification | parameters |', '| --- | --- |', ...rows].join('\n');
}

export function eventsTable(): string {
  const union = schemaOf(eventSchema.shape.event);
  const rows = (union.oneOf ?? union.anyOf ?? []).map(({ properties = {}, ...rest }) => {
    const { type, ...members } = properties;
    return `| \`${String(type?.const)}\` | ${wrapped(membersOf({ ...rest, properties: members }))} |`;
  });
  return ['| event `type` | members |', '| --- | --- |', ...rows].join('\n');
}

export function shapesTable(): string {
  const rows = Object.entries(SHAPES).map(
    ([name, type]) => `| \`${name}\` | ${wrapped(membersOf(schemaOf(type)))} |`,
  );
  return ['| shape | members |', '| --- | --- |', ...rows].join('\n');
}

function cell(type: z.ZodType): string {
  const schema = schemaOf(type);
  return wrapped(shapeName(schema) ?? membersOf(schema));
}

/**
 * Returns the name of the listed object type with the same properties, of which the same are
 * required. Returns undefined if no listed type matches.
 */
function shapeName(schema: Schema): string | undefined {
  return namesByShape.get(keyOf(schema));
}

const keyOf = ({ properties, required }: Schema) => JSON.stringify([properties, required]);

/**
 * Names of the listed object types by their JSON. The map is computed once, because each table cell
 * uses it.
 */
const namesByShape = new Map(
  Object.entries(SHAPES).map(([name, type]) => [keyOf(schemaOf(type)), name]),
);

function wrapped(text: string): string {
  return text === '' ? '—' : `\`${text}\``;
}

function membersOf({ properties = {}, required = [] }: Schema): string {
  return Object.entries(properties)
    .map(([name, schema]) => `${name}${required.includes(name) ? '' : '?'}${typeText(schema)}`)
    .join(', ');
}

/**
 * Returns a type as text: the choices of an enum, or the properties of an object or list. Empty for
 * other types.
 */
function typeText(schema: Schema): string {
  if (schema.enum) return `: ${schema.enum.join(' / ')}`;
  if (schema.type === 'array' && schema.items?.properties) return `: [${objectText(schema.items)}]`;
  if (schema.type === 'array') return ': […]';
  return schema.properties ? `: ${objectText(schema)}` : '';
}

function objectText(schema: Schema): string {
  return shapeName(schema) ?? `{${membersOf(schema)}}`;
}

const outputSchema = z.union([
  z.strictObject({ event: z.looseObject({}) }),
  z.strictObject({ result: z.looseObject({}) }),
  z.strictObject({
    error: z.strictObject({
      code: z.string(),
      message: z.string(),
      hint: z.string().optional(),
    }),
  }),
]);

/**
 * Returns one JSON Schema document. `$defs` contains the parameters and the result of each method,
 * such as `cors.get.params` and `cors.get.result`. `output` describes the JSON that a command
 * prints with `--json`.
 */
export function schemaDocument(): string {
  const registry = z.registry<{ readonly id: string; readonly description?: string }>();
  for (const [name, type] of Object.entries(SHAPES)) registry.add(type, { id: name });
  for (const [name, { summary, params, result }] of Object.entries<MethodDeclaration>(METHODS)) {
    registry.add(params.clone(), { id: `${name}.params`, description: summary });
    registry.add(result.clone(), { id: `${name}.result` });
  }
  registry.add(outputSchema.clone(), {
    id: 'output',
    description: 'one JSON document on the standard output of a command with --json',
  });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `#/$defs/${id}`,
    override: ({ jsonSchema, path }) => {
      withoutSafeLimits(jsonSchema);
      if (isTime(String(path.at(-1))) && jsonSchema.type === 'number')
        jsonSchema.description = 'milliseconds since 1970; with --json, ISO 8601';
    },
  });
  const definitions = Object.entries(schemas)
    .map(
      ([id, schema]) =>
        `"${id}": ${JSON.stringify({ ...schema, $schema: undefined, $id: undefined })}`,
    )
    .join(',\n');
  const title = 'Parameters and results of the Holdfast control protocol';
  const head = `"$schema": "https://json-schema.org/draft/2020-12/schema",\n"title": "${title}"`;
  return `{\n${head},\n"$defs": {\n${definitions}\n}\n}\n`;
}

/** Removes the limits of safe integers, which zod adds to each integer. */
function withoutSafeLimits(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
