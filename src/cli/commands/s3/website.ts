/** Implements `holdfast s3 website get` and `set` for the website configuration of a bucket. */

import { defined } from '../../../base/defined.ts';
import type { Params, Result } from '../../../control/messages.ts';
import { EXIT, type ExitCode, usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { writeNote } from '../../output/output.ts';
import { parseBucket } from '../../arguments/thing.ts';
import { readList } from '../../arguments/read-document.ts';
import { shellWord, visible } from '../../output/text.ts';

export interface SetWebsiteOptions {
  readonly index?: string;
  readonly error?: string;
  readonly redirectAll?: string;
  readonly rules?: string;
  readonly public?: boolean;
}

type Website = Params<'website.set'>['website'];
type RoutingRule = NonNullable<Website['routingRules']>[number];

const DEFAULT_INDEX = 'index.html';

export async function getWebsite(context: Context, typed: string): Promise<ExitCode> {
  const bucket = parseBucket(typed);
  const known = await context.withDaemon((daemon) => daemon.call('website.get', { bucket }));
  if (context.json) await context.out.json(known);
  else {
    const { url, website } = known;
    await context.out.lines(...(url === undefined ? [] : [url]), ...websiteLines(website));
  }
  return printState(context, bucket, known);
}

export async function setWebsite(
  context: Context,
  typed: string,
  options: SetWebsiteOptions,
): Promise<ExitCode> {
  const bucket = parseBucket(typed);
  const website = await websiteOf(context, options);
  const asked = { bucket, website, public: options.public ?? false };
  const shown = await context.withDaemon((daemon) => daemon.call('website.set', asked));
  if (context.json) await context.out.json(shown);
  else await context.out.lines(shown.url ?? `set the website of bucket ${bucket}`);
  return printState(context, bucket, { ...shown, website });
}

async function websiteOf(context: Context, options: SetWebsiteOptions): Promise<Website> {
  const { index = DEFAULT_INDEX, error, redirectAll, rules } = options;
  if (redirectAll === undefined) {
    const routingRules = rules === undefined ? undefined : await readRules(context, rules);
    return defined({ indexSuffix: index, errorKey: error, routingRules });
  }
  if (options.index === undefined && error === undefined && rules === undefined) {
    return { redirectAll: parseRedirect(redirectAll) };
  }
  throw usageError('cannot use --redirect-all with --index, --error or --rules');
}

function parseRedirect(typed: string): NonNullable<Website['redirectAll']> {
  const match = /^(?:(https?):\/\/)?([^/]+)\/?$/.exec(typed);
  if (match?.[2] === undefined) {
    throw usageError(`invalid --redirect-all "${typed}": write https://HOST, or HOST`);
  }
  return defined({ hostName: match[2], protocol: match[1] as 'http' | 'https' | undefined });
}

/** Maps the names in routing rules of AWS tools to the names in the control protocol. */
const RULES = {
  lists: ['RoutingRules', 'routingRules'],
  names: {
    Condition: 'condition',
    KeyPrefixEquals: 'keyPrefix',
    HttpErrorCodeReturnedEquals: 'errorStatus',
    Redirect: 'redirect',
    Protocol: 'protocol',
    HostName: 'hostName',
    ReplaceKeyPrefixWith: 'replaceKeyPrefixWith',
    ReplaceKeyWith: 'replaceKeyWith',
    HttpRedirectCode: 'status',
  },
};

async function readRules(context: Context, file: string): Promise<readonly RoutingRule[]> {
  const rules = (await readList(context, file, RULES)) as readonly RoutingRule[];
  // Other tools write status codes as strings. The daemon validates everything else.
  return rules.map((rule) => {
    const { condition, redirect } = rule;
    return defined({
      ...rule,
      condition: condition && withNumber(condition, 'errorStatus'),
      redirect: withNumber(redirect, 'status'),
    });
  });
}

function withNumber<T extends object>(members: T, name: keyof T & string): T {
  const value: unknown = members[name];
  return typeof value === 'string' && /^\d{3}$/.test(value)
    ? { ...members, [name]: Number(value) }
    : members;
}

function websiteLines({
  indexSuffix,
  errorKey,
  redirectAll,
  routingRules = [],
}: Website): string[] {
  if (redirectAll !== undefined) {
    const { protocol, hostName } = redirectAll;
    return [
      `every request is sent to ${protocol === undefined ? '' : `${protocol}://`}${hostName}`,
    ];
  }
  return [
    `index  ${visible(indexSuffix ?? '')}`,
    ...(errorKey === undefined ? [] : [`error  ${visible(errorKey)}`]),
    ...routingRules.map((rule, index) => `rule ${index + 1}  ${ruleText(rule)}`),
  ];
}

function ruleText({ condition = {}, redirect }: RoutingRule): string {
  const { keyPrefix, errorStatus } = condition;
  const { protocol, hostName, replaceKeyPrefixWith, replaceKeyWith, status = 301 } = redirect;
  const from = [
    ...(keyPrefix === undefined ? [] : [`what begins with ${JSON.stringify(keyPrefix)}`]),
    ...(errorStatus === undefined ? [] : [`error ${errorStatus}`]),
  ];
  const to = [
    ...(protocol === undefined ? [] : [protocol]),
    ...(hostName === undefined ? [] : [hostName]),
    ...(replaceKeyPrefixWith === undefined ? [] : [`${JSON.stringify(replaceKeyPrefixWith)}…`]),
    ...(replaceKeyWith === undefined ? [] : [JSON.stringify(replaceKeyWith)]),
  ];
  return visible(`${from.join(', ') || 'everything'}: ${status} to ${to.join(' ') || 'the same'}`);
}

type Shown = Result<'website.set'> & { readonly website: Website };

/**
 * Returns `attention` if the website is not available, and prints the reason unless `--json` is given. Writes to
 * standard error, because another program may read the URL from standard output.
 */
async function printState(context: Context, bucket: string, shown: Shown): Promise<ExitCode> {
  // A remote service does not report whether it serves the website.
  if (shown.state === 'served' || shown.state === 'unknown') return EXIT.ok;
  const note = await stateNote(context, bucket, shown);
  if (!context.json) await writeNote(context.io.stderr, `${note}\n`);
  return EXIT.attention;
}

async function stateNote(context: Context, bucket: string, shown: Shown): Promise<string> {
  const { indexSuffix = DEFAULT_INDEX } = shown.website;
  const home = context.homeOption;
  switch (shown.state) {
    case 'off': {
      const { configFile } = await context.home();
      return `not served: put \`website: {}\` below \`storage:\` in ${visible(configFile)}, and restart the daemon`;
    }
    case 'no index':
      return `not shown: ${visible(indexSuffix)} does not exist; holdfast${home} s3 put FILE ${shellWord(`${bucket}/${indexSuffix}`)}`;
    default:
      return `not shown: anonymous callers may not read it; holdfast${home} s3 website set ${bucket} --public`;
  }
}
