/** Implements `holdfast lock hold`. A legal hold prevents the deletion of a version until the hold is removed. */

import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { changeLocks } from './lock-changes.ts';
import { withThing } from '../../arguments/resolve-thing.ts';
import { visible } from '../../output/text.ts';

export interface HoldOptions {
  readonly versionId?: string;
  readonly recursive?: boolean;
  readonly dryRun?: boolean;
}

export async function getHold(
  context: Context,
  typed: string,
  { versionId }: Pick<HoldOptions, 'versionId'>,
): Promise<void> {
  const rules = { ifBoth: 'object', hasVersions: true, needsKey: true, versionId } as const;
  const answer = await withThing(context, typed, rules, (daemon, place) =>
    daemon.call('hold.get', place),
  );
  if (context.json) return context.out.json(answer);
  const { legalHold, stated } = answer;
  const said = stated ? `legal hold ${legalHold ? 'ON' : 'OFF'}` : 'no legal hold was ever set';
  await context.out.lines(`${visible(typed)}: ${said}`);
}

export function setHold(
  context: Context,
  typed: string,
  { legalHold, ...options }: HoldOptions & { readonly legalHold: boolean },
): Promise<ExitCode> {
  return changeLocks(context, typed, {
    ...options,
    words: legalHold
      ? { doing: 'holding', did: 'put a hold on', would: 'put a hold on' }
      : { doing: 'lifting holds', did: 'lifted the hold of', would: 'lift the hold of' },
    said: `legal hold ${legalHold ? 'ON' : 'OFF'}`,
    change: async (daemon, target) => {
      await daemon.call('hold.set', { ...target, legalHold });
    },
  });
}
