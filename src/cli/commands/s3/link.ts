/** Implements `holdfast s3 link`. It creates and revokes presigned URLs. */

import { defined } from '../../../base/defined.ts';
import { MAX_LINK_SECONDS } from '../../../control/methods/links.ts';
import { usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { writeNote } from '../../output/output.ts';
import { withThing } from '../../arguments/resolve-thing.ts';
import { timeText } from '../../../text/time.ts';
import { parseDuration } from '../../arguments/when.ts';

export interface LinkOptions {
  readonly expires: string;
  readonly put?: boolean;
  readonly versionId?: string;
  readonly endpoint?: string;
  readonly revokeAll?: boolean;
}

export async function link(
  context: Context,
  object: string | undefined,
  options: LinkOptions,
): Promise<void> {
  if (options.revokeAll && object === undefined) return revokeLinks(context);
  if (options.revokeAll || object === undefined) {
    throw usageError('cannot create a link: give either OBJECT or --revoke-all');
  }
  const { expires, put = false, versionId, endpoint } = options;
  const expiresSeconds = Math.floor(parseDuration(expires, MAX_LINK_SECONDS * 1000) / 1000);
  if (expiresSeconds < 1)
    throw usageError(
      `invalid duration "${expires}": the minimum is 1s`,
      'write 30m, 24h or 7d: --expires 24h',
    );
  if (put && versionId !== undefined) {
    throw usageError('cannot use --version-id with --put, which stores a new version');
  }
  const does = put ? ('put' as const) : ('get' as const);
  const rules = { ifBoth: 'refuse', hasVersions: !put, needsKey: true, versionId } as const;
  const made = await withThing(context, object, rules, (daemon, place) =>
    daemon.call('links.create', defined({ ...place, does, expiresSeconds, origin: endpoint })),
  );
  if (context.json) return context.out.json(made);
  await context.out.lines(made.url);
  // Standard output contains only the URL, because it is often piped to another program.
  const notes = [`valid until ${timeText(made.expiresAt)}`, ...(made.local ? [LOCAL] : [])];
  await writeNote(context.io.stderr, notes.map((note) => `${note}\n`).join(''));
}

const LOCAL =
  'the store is served on this machine only, and so is the link; where something forwards to it: --endpoint https://HOST';

async function revokeLinks(context: Context): Promise<void> {
  await context.withDaemon((daemon) => daemon.call('links.revoke', {}));
  if (context.json) return context.out.json({});
  await context.out.lines('revoked all existing links');
}
