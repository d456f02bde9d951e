/** Control methods on what projects and buckets of the embedded store may hold. */

import type { ProjectNames } from '../../src/base/principal.ts';
import { defined } from '../../src/base/defined.ts';
import type { QuotaAdmin } from '../../src/engine/quotas.ts';
import type { QUOTA_METHODS } from '../../src/control/methods/quotas.ts';
import type { ControlHandlers } from '../control-server.ts';

/** `own` is whose project a request means that names none. */
export function quotaHandlers(
  quotas: QuotaAdmin,
  own: ProjectNames,
): Pick<ControlHandlers, keyof typeof QUOTA_METHODS> {
  const named = ({
    project,
    customer,
  }: {
    readonly project?: string | undefined;
    readonly customer?: string | undefined;
  }) => ({
    project: project ?? own.project,
    customer: customer ?? own.customer,
  });
  const flat = ({ quota, set, usage }: Awaited<ReturnType<QuotaAdmin['ofBucket']>>) => ({
    ...quota,
    set,
    usage,
  });
  return {
    'quotas.getBucket': async ({ bucket }) => flat(await quotas.ofBucket(bucket)),
    'quotas.setBucket': async ({ bucket, ...change }) =>
      flat(await quotas.setOfBucket(bucket, defined(change))),
    'quotas.getProject': async (params) => {
      const project = named(params);
      return { ...project, ...(await quotas.ofProject(project)) };
    },
    'quotas.setProject': async ({ buckets, ...params }) => {
      const project = named(params);
      return { ...project, ...(await quotas.setOfProject(project, buckets)) };
    },
  };
}
