/** Implements the control methods for quotas of projects and buckets of the embedded store. */

import type { ProjectNames } from '../../../src/base/principal.ts';
import { defined } from '../../../src/base/defined.ts';
import type { QuotaAdmin } from '../../../src/engine/roles/quotas.ts';
import type { Params } from '../../../src/control/messages.ts';
import type { QUOTA_METHODS } from '../../../src/control/methods/quotas.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';

interface Projects {
  /** The default project and customer for requests that omit them. */
  readonly own: ProjectNames;
  /** Throws if the project does not exist. */
  readonly check: (project: ProjectNames) => void;
}

export function quotaHandlers(
  quotas: QuotaAdmin,
  { own, check }: Projects,
): Pick<ControlHandlers, keyof typeof QUOTA_METHODS> {
  const named = (params: Params<'quotas.getProject'>) => {
    const project = {
      project: params.project ?? own.project,
      customer: params.customer ?? own.customer,
    };
    check(project);
    return project;
  };
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
