/**
 * Implements `holdfast target test`. It tests a target, and what the target supports in buckets.
 */

import type { TargetConfig } from '../../../config/config.ts';
import { loadConfig } from '../../../config/load.ts';
import { parseTargetPlace } from '../../arguments/target-place.ts';
import type { Context } from '../../context.ts';
import { CommandError, EXIT, type ExitCode } from '../../output/command-error.ts';
import { iamPolicy, printPolicy } from './iam-policy.ts';

export interface TestTargetOptions {
  readonly policy?: boolean;
}

/** Tests the targets. Reads the configuration itself, so that it also works without a daemon. */
export async function testTarget(
  context: Context,
  typed: string,
  { policy }: TestTargetOptions,
): Promise<ExitCode> {
  const home = await context.home();
  const config = await loadConfig(home);
  const place = parseTargetPlace(typed, config.targets);
  if (!place) throw unknownTarget(typed.split(':', 1)[0] ?? typed, config.targets);
  const { target, bucket, prefix = '' } = place;
  const jobs = config.jobs.filter((job) => job.target === target.name);
  const named = bucket === undefined ? [] : [{ bucket, prefix }];
  const { region } = target;
  if (policy) {
    await printPolicy(context, { region, ...placeOfPolicy([...named, ...jobs]) }, typed);
    return EXIT.ok;
  }
  const supports: object[] = [];
  const { examineServices } = await import('../../../../daemon/doctor/examine-services.ts');
  const { reportFindings } = await import('../doctor/doctor.ts');
  const findings = await examineServices({
    home,
    config: { ...config, targets: [target], clusters: { ...config.clusters, services: [] } },
    clock: context.io.clock,
    support: {
      // The destinations of jobs are omitted, because they are tested together with the jobs.
      places: named.filter((each) => !jobs.some((job) => isSame(each, job))),
      onSupport: ({ bucket: name, prefix: below, ...support }) => {
        const at = { bucket: name, prefix: below };
        supports.push({ ...at, ...support, policy: iamPolicy({ ...at, region }) });
      },
    },
  });
  if (named.length + jobs.length === 0)
    await context.remark(
      `no job uses ${target.name}; to test a bucket: holdfast target test ${target.name}:BUCKET`,
    );
  return reportFindings(context, findings, { supports });
}

interface Place {
  readonly bucket: string;
  readonly prefix: string;
}

function placeOfPolicy([place]: readonly Place[]): Partial<Place> & Pick<Place, 'prefix'> {
  return place ? { bucket: place.bucket, prefix: place.prefix } : { prefix: '' };
}

function isSame(a: Place, b: Place): boolean {
  return a.bucket === b.bucket && a.prefix === b.prefix;
}

export function unknownTarget(
  name: string,
  targets: readonly Pick<TargetConfig, 'name'>[],
): CommandError {
  const names = targets.map((each) => each.name).join(', ');
  const hint = names === '' ? 'to add one: holdfast target add NAME SERVICE' : `targets: ${names}`;
  return new CommandError('NotFound', `unknown target "${name}"`, hint);
}
