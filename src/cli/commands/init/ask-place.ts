/** Asks for the destination of a job and for its credentials. */

import { defined } from '../../../base/defined.ts';
import { targetNameFor } from '../../../config/bucket-name.ts';
import type { TargetConfig } from '../../../config/config.ts';
import type { Credentials } from '../../../config/credentials.ts';
import type { TargetEntry } from '../../../config/schema.ts';
import { endpointOf } from '../../arguments/remote-target.ts';
import { readTargetKey } from '../../arguments/target-key.ts';
import type { Asking } from './asking.ts';

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
    'Where to store the backup? local is a store on this machine: it protects against mistakes only.',
    'A remote service also protects against the loss of this machine: https://storage.example.com',
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
  const verb = `cannot back up to ${to}`;
  const { credentials } = options;
  const key = await readTargetKey(context, { options: defined({ credentials }), verb, answers });
  const name = targetNameFor(URL.parse(to)?.hostname ?? 'target');
  const { protocol } = options;
  return { target: { name, endpoint: to, ...defined({ protocol }), region }, key };
}
