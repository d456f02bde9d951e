/** Implements `holdfast admin credentials`. It prints what S3 tools need to connect to the embedded store. */

import { defined } from '../../../base/defined.ts';
import type { Result } from '../../../control/messages.ts';
import type { Context } from '../../context.ts';
import { shellWord } from '../../output/text.ts';

export interface CredentialsOptions {
  readonly env?: boolean;
  readonly showSecret?: boolean;
  readonly key?: string;
}

type Credentials = Result<'credentials'>;

export async function credentials(context: Context, options: CredentialsOptions): Promise<void> {
  const which = defined({ accessKeyId: options.key });
  const known = await context.withDaemon((daemon) => daemon.call('credentials', which));
  if (options.env) return context.out.lines(...exportLines(known));
  if (context.json) return context.out.json(options.showSecret ? known : withoutSecret(known));
  const keyOption = options.key === undefined ? '' : ` --key ${shellWord(options.key)}`;
  const secret = options.showSecret ? known.secretAccessKey : '(show it with --show-secret)';
  await context.out.prose(
    `endpoint           ${known.endpointUrl}`,
    ...[known.tlsEndpointUrl ?? []].flat().map((url) => `endpoint with TLS  ${url}`),
    ...[known.clusterUrl ?? []].flat().map((url) => `cluster service    ${url}`),
    `region             ${known.region}`,
    `project            ${known.projectId}`,
    `access key id      ${known.accessKeyId}`,
    `secret access key  ${secret}`,
    '',
    `for a shell:  eval "$(holdfast admin credentials --env${keyOption})"`,
  );
}

/** Returns export lines for `eval "$(holdfast admin credentials --env)"` in any POSIX shell. */
export function exportLines(known: Credentials): string[] {
  const variables = {
    AWS_ACCESS_KEY_ID: known.accessKeyId,
    AWS_SECRET_ACCESS_KEY: known.secretAccessKey,
    AWS_DEFAULT_REGION: known.region,
    AWS_ENDPOINT_URL: known.endpointUrl,
    HOLDFAST_PROJECT_ID: known.projectId,
    // The name is not AWS_ENDPOINT_URL, because most tools would need the CA certificate to trust this
    // endpoint.
    ...defined({ HOLDFAST_TLS_ENDPOINT_URL: known.tlsEndpointUrl }),
    // Without this separate variable, `aws eks` would send its requests to AWS_ENDPOINT_URL, which is the
    // store.
    ...defined({
      HOLDFAST_CLUSTER_URL: known.clusterUrl,
      AWS_ENDPOINT_URL_EKS: known.clusterUrl,
    }),
  };
  return Object.entries(variables).map(([name, value]) => `export ${name}=${shellWord(value)}`);
}

function withoutSecret(known: Credentials): Omit<Credentials, 'secretAccessKey'> {
  const { secretAccessKey: _, ...shown } = known;
  return shown;
}
