/** Implements `holdfast s3 cors set` and `add`, and formats the result of `get`. */

import { defined } from '../../../base/defined.ts';
import { isControlError } from '../../../control/control-error.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Result } from '../../../control/messages.ts';
import { choice } from '../../arguments/choices.ts';
import { usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { parseBucket } from '../../arguments/thing.ts';
import { readList } from '../../arguments/read-document.ts';
import { visible } from '../../output/text.ts';
import { countText } from '../../../text/amounts.ts';
import { durationText } from '../../../text/time.ts';
import { parseDuration } from '../../arguments/when.ts';
import type { Answers } from '../../simple-call.ts';

export interface AddCorsOptions {
  readonly origin: readonly string[];
  readonly method?: readonly string[];
  readonly header?: readonly string[];
  readonly expose?: readonly string[];
  readonly maxAge?: string;
}

type CorsRule = Result<'cors.get'>['rules'][number];

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD'] as const;
/** The maximum of `--max-age`. No browser caches a preflight response for longer than a day. */
const MAX_AGE_MS = 24 * 3600 * 1000;

export const CORS_ANSWERS: Answers = { 'cors.get': ({ rules }) => rules.flatMap(ruleLines) };

/** Maps the property names in CORS configurations of AWS tools to the names in the control protocol. */
const RULES = {
  lists: ['CORSRules', 'rules'],
  names: {
    ID: 'id',
    AllowedOrigins: 'allowedOrigins',
    AllowedMethods: 'allowedMethods',
    AllowedHeaders: 'allowedHeaders',
    ExposeHeaders: 'exposeHeaders',
    MaxAgeSeconds: 'maxAgeSeconds',
  },
};

export async function setCors(context: Context, typed: string, file: string): Promise<void> {
  const bucket = parseBucket(typed);
  // Only the shape of the rules is checked here. The daemon validates their values.
  const rules = (await readList(context, file, RULES)) as readonly CorsRule[];
  await context.withDaemon((daemon) => daemon.call('cors.set', { bucket, rules }));
  if (context.json) return context.out.json({});
  await context.out.lines(`bucket ${bucket} has ${countText(rules.length, 'CORS rule')}`);
}

export async function addCors(
  context: Context,
  typed: string,
  options: AddCorsOptions,
): Promise<void> {
  const bucket = parseBucket(typed);
  const rule = ruleOf(options);
  const rules = await context.withDaemon(async (daemon) => {
    const all = [...(await rulesOf(daemon, bucket)), rule];
    await daemon.call('cors.set', { bucket, rules: all });
    return all;
  });
  if (context.json) return context.out.json({ rules });
  await context.out.lines(`bucket ${bucket} has ${countText(rules.length, 'CORS rule')}`);
}

async function rulesOf(daemon: ControlClient, bucket: string): Promise<readonly CorsRule[]> {
  try {
    return (await daemon.call('cors.get', { bucket })).rules;
  } catch (error) {
    if (isControlError(error) && error.storageCode === 'NoSuchCORSConfiguration') return [];
    throw error;
  }
}

/**
 * Returns the origin. Throws a usage error if it has neither a scheme nor a wildcard. Browsers send a scheme in every
 * `Origin` header except `null`, so a rule for such an origin would not match any request.
 */
function checkedOrigin(origin: string): string {
  if (origin === 'null' || /\*|:\/\//.test(origin)) return origin;
  throw usageError(
    `invalid --origin "${origin}": it has no scheme, and browsers send one`,
    'write https://HOST, https://HOST:PORT, https://*.DOMAIN or *',
  );
}

function ruleOf({
  origin,
  method = ['GET,HEAD'],
  header,
  expose,
  maxAge,
}: AddCorsOptions): CorsRule {
  return defined({
    allowedOrigins: origin.map(checkedOrigin),
    allowedMethods: separated(method).map((each) => choice('--method', each, METHODS)),
    allowedHeaders: header && separated(header),
    exposeHeaders: expose && separated(expose),
    maxAgeSeconds:
      maxAge === undefined ? undefined : Math.floor(parseDuration(maxAge, MAX_AGE_MS) / 1000),
  });
}

function separated(given: readonly string[]): string[] {
  return given.flatMap((each) => each.split(',')).map((each) => each.trim());
}

function ruleLines(rule: CorsRule, index: number): string[] {
  const { allowedOrigins, allowedMethods, allowedHeaders, exposeHeaders, maxAgeSeconds } = rule;
  const age = maxAgeSeconds === undefined ? undefined : durationText(maxAgeSeconds * 1000);
  const parts = [
    ['origins', allowedOrigins.join(', ')],
    ['methods', allowedMethods.join(', ')],
    ['headers', allowedHeaders?.join(', ')],
    ['expose', exposeHeaders?.join(', ')],
    ['max age', age],
  ] as const;
  return [
    `rule ${index + 1}${rule.id === undefined ? '' : `  ${visible(rule.id)}`}`,
    ...parts.flatMap(([name, value]) =>
      value === undefined ? [] : [`  ${name.padEnd('origins'.length)}  ${visible(value)}`],
    ),
  ];
}
