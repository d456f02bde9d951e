/** `holdfast whoami`: what a person has to tell others, and other tools, of themselves. */

import { callIdentity } from './call-identity.ts';
import type { Context } from './context.ts';
import { accessText } from './keys.ts';
import { parseUser } from './storage-id.ts';
import { visible } from './text.ts';

export async function whoami(context: Context, typed: string | undefined): Promise<void> {
  const known = await callIdentity(context, 'whoami', typed === undefined ? {} : parseUser(typed));
  if (context.json) return context.out.json(known);
  const access = known.fullAccess && !known.granted ? 'full, by group' : accessText(known);
  const email = known.projectEmail ?? '(none: holdfast projects set-email PROJECT E-MAIL)';
  await context.out.lines(
    `storage user id    ${visible(known.id)}`,
    `project id         ${visible(known.project)}`,
    `project e-mail     ${visible(email)}`,
    `customer           ${known.customer}`,
    `rights to all of the project are given to  ${visible(known.grantee)}`,
    `access             ${access}`,
    `groups             ${visible(known.groups.join(', ')) || '-'}`,
    `region             ${known.region}`,
    `endpoint           ${known.endpointUrl ?? '(no daemon is running)'}`,
    ...[known.tlsEndpointUrl ?? []].flat().map((url) => `endpoint with TLS  ${url}`),
  );
}
