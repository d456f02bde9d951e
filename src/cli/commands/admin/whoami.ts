/** Implements `holdfast admin whoami`. It prints the IDs, the access and the endpoint of a user. */

import { callIdentity } from './call-identity.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../output/command-error.ts';
import { accessText } from './keys.ts';
import { parseUser } from '../../arguments/storage-id.ts';
import { visible } from '../../output/text.ts';

export interface WhoamiOptions {
  readonly target?: string;
}

export async function whoami(
  context: Context,
  typed: string | undefined,
  { target }: WhoamiOptions,
): Promise<void> {
  if (target !== undefined) {
    if (typed !== undefined) throw usageError('cannot use --target with USER');
    return whoamiAt(context, target);
  }
  const known = await callIdentity(context, 'whoami', typed === undefined ? {} : parseUser(typed));
  if (context.json) return context.out.json(known);
  const access = known.fullAccess && !known.granted ? 'full, by group' : accessText(known);
  const email = known.projectEmail ?? '(none: holdfast admin projects set-email PROJECT E-MAIL)';
  await context.out.prose(
    `storage user id    ${visible(known.id)}`,
    `project id         ${visible(known.project)}`,
    `project e-mail     ${visible(email)}`,
    `customer           ${known.customer}`,
    `project as grantee ${visible(known.grantee)}`,
    `access             ${access}`,
    `groups             ${visible(known.groups.join(', ')) || '-'}`,
    `region             ${known.region}`,
    `endpoint           ${known.endpointUrl ?? '(no daemon is running)'}`,
    ...[known.tlsEndpointUrl ?? []].flat().map((url) => `endpoint with TLS  ${url}`),
  );
}

/** Prints the identity that a remote service reports. It does not include full access or an email address. */
async function whoamiAt(context: Context, name: string): Promise<void> {
  const known = await context.withDaemon((daemon) => daemon.call('targets.whoami', { name }));
  if (context.json) return context.out.json(known);
  const { owner, project, user, customer } = known;
  await context.out.lines(
    `storage user id    ${visible(owner ?? '(the service does not report it)')}`,
    ...named('project id', project),
    ...named('user', user),
    ...named('customer', customer),
    `access key id      ${visible(known.accessKeyId)}`,
    `region             ${visible(known.region)}`,
    `endpoint           ${visible(known.endpoint)}`,
    ...named('protocol', known.protocol),
  );
}

function named(title: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${title.padEnd(18)} ${visible(value)}`];
}
