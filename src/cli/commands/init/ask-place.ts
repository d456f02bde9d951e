/** Asks for the destination of a job and for its credentials. */

import { defined } from '../../../base/defined.ts';
import { bucketNameFor } from '../../../config/bucket-name.ts';
import type { TargetConfig } from '../../../config/config.ts';
import { type Credentials, readCredentials } from '../../../config/credentials.ts';
import type { TargetEntry } from '../../../config/schema.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { credentialsFrom, endpointOf, lasting } from '../../arguments/remote-target.ts';
import type { Answers } from './answers.ts';
import type { Asking, InitOptions } from './asking.ts';

export interface Place {
  /** A target that config.yaml already has. */
  readonly known?: TargetConfig;
  /** A new target. */
  readonly target?: TargetEntry;
  /** The credentials of the new target. */
  readonly key?: Credentials;
}

/** Returns the existing or new target. Returns an empty object for the embedded store. */
export async function askPlace({ context, options, answers, config }: Asking): Promise<Place> {
  const toOf = (answer: string) => (answer === 'local' ? answer : endpointOf(answer));
  const explained = [
    '',
    'Where to? local is a store on this machine, which protects from mistakes only; another place',
    'protects from the loss of this machine, too: https://storage.example.com',
  ];
  const question = { text: 'Place', explained, proposed: 'local', option: '--to' };
  const to = await (options.to === undefined ? answers.ask(question, toOf) : toOf(options.to));
  if (to === 'local') return {};
  const known = config.targets.find(({ endpoint }) => endpoint === to);
  if (known) return { known };
  const text = (answer: string) => answer;
  const region =
    options.region ??
    (await answers.ask({ text: 'Region', proposed: 'us-east-1', option: '--region' }, text));
  const key = await askKey(context, options, answers, to);
  const name = bucketNameFor(URL.parse(to)?.hostname ?? 'target');
  const { protocol } = options;
  return { target: { name, endpoint: to, ...defined({ protocol }), region }, key };
}

async function askKey(
  context: Context,
  { credentials }: InitOptions,
  answers: Answers,
  to: string,
): Promise<Credentials> {
  const verb = `cannot back up to ${to}`;
  if (credentials !== undefined) return lasting(readCredentials(context.path(credentials)), verb);
  try {
    return lasting(credentialsFrom(context.io.env, verb), verb);
  } catch (error) {
    if (!(error instanceof CommandError && error.code === 'NoCredentials')) throw error;
  }
  const option = '--credentials FILE, or HOLDFAST_TARGET_ACCESS_KEY_ID and …_SECRET_ACCESS_KEY';
  const text = (answer: string) => answer;
  const accessKeyId = await answers.ask({ text: 'Access key id', option }, text);
  const secret = { text: 'Secret access key (not shown)', option, isSecret: true };
  return { accessKeyId, secretAccessKey: await answers.ask(secret, text) };
}
