/** Implements `holdfast s3 versioning`, which prints and changes the versioning state of a bucket. */

import type { Context } from '../../context.ts';
import { parseBucket } from '../../arguments/place.ts';
import { visible } from '../../output/text.ts';

export async function getVersioning(context: Context, typed: string): Promise<void> {
  const bucket = parseBucket(typed);
  const answer = await context.withDaemon((daemon) => daemon.call('versioning.get', { bucket }));
  if (context.json) return context.out.json(answer);
  const { versioning = 'never enabled' } = answer;
  await context.out.lines(`${visible(bucket)}: ${versioning}`);
}

const EFFECTS = {
  Enabled: 'each put makes a new version, each delete a marker',
  Suspended: 'no new versions; those there are stay',
} as const;

export async function setVersioning(
  context: Context,
  typed: string,
  versioning: 'Enabled' | 'Suspended',
): Promise<void> {
  const bucket = parseBucket(typed);
  await context.withDaemon((daemon) => daemon.call('versioning.set', { bucket, versioning }));
  if (context.json) return context.out.json({});
  await context.out.lines(`${visible(bucket)}: ${versioning}, ${EFFECTS[versioning]}`);
}
