/** Implements the control methods for container clusters and their node groups. */

import { defined } from '../../../src/base/defined.ts';
import type { CallOptions, ClusterService } from '../../../src/cluster/cluster-service.ts';
import type { CLUSTER_METHODS } from '../../../src/control/methods/clusters.ts';
import type { ControlHandlers } from '../../control/control-handlers.ts';
import type { ClusterRooms } from '../../services/rooms.ts';

type ClusterMethods = keyof typeof CLUSTER_METHODS;

export function clusterHandlers(clusters: ClusterRooms): Pick<ControlHandlers, ClusterMethods> {
  /** Passes a request to the cluster service that the request selects. */
  const on =
    <R extends object, T>(
      call: (service: ClusterService, request: R, options: CallOptions) => Promise<T>,
    ) =>
    async ({ service, ...request }: R & Named, { signal }: CallOptions): Promise<T> =>
      call(clusters.service(service), request as unknown as R, defined({ signal }));
  return {
    'clusters.services': async () => ({
      services: clusters
        .names()
        .map(({ name, url }) => ({ name, url, missing: [...clusters.missing(name)] })),
    }),
    'clusters.list': on((service, request, options) => service.listClusters(request, options)),
    'clusters.describe': on((service, request, options) =>
      service.describeCluster(request, options),
    ),
    'clusters.create': on((service, request, options) => service.createCluster(request, options)),
    'clusters.delete': on((service, request, options) => service.deleteCluster(request, options)),
    'nodegroups.list': on((service, request, options) => service.listNodegroups(request, options)),
    'nodegroups.describe': on((service, request, options) =>
      service.describeNodegroup(request, options),
    ),
    'nodegroups.create': on((service, request, options) =>
      service.createNodegroup(request, options),
    ),
    'nodegroups.delete': on((service, request, options) =>
      service.deleteNodegroup(request, options),
    ),
    'nodegroups.updateConfig': on((service, request, options) =>
      service.updateNodegroupConfig(request, options),
    ),
    'nodegroups.updateVersion': on((service, request, options) =>
      service.updateNodegroupVersion(request, options),
    ),
    'nodegroups.updates': on((service, request, options) => service.listUpdates(request, options)),
    'nodegroups.describeUpdate': on((service, request, options) =>
      service.describeUpdate(request, options),
    ),
    'clusters.tags': on(async (service, request, options) => ({
      tags: await service.listTags(request, options),
    })),
    'clusters.tag': on(async (service, request, options) => {
      await service.tagResource(request, options);
      return {};
    }),
    'clusters.untag': on(async (service, request, options) => {
      await service.untagResource(request, options);
      return {};
    }),
  };
}

interface Named {
  readonly service?: string | undefined;
}
