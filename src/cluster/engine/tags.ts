/**
 * Implements the operations on tags. Requests identify the tagged cluster or node group by its ARN.
 */

import { ClusterError } from '../cluster-error.ts';
import type { ClusterService, ResourceRef, StringMap } from '../cluster-service.ts';
import { MAX_TAGS } from '../rules/shapes.ts';
import { isArn, parseArn, type ResourceName } from './arn.ts';
import type { CallContext } from './context.ts';

type Calls = Pick<ClusterService, 'listTags' | 'tagResource' | 'untagResource'>;

const SHOWN_CHARACTERS = 80;

interface Tagged {
  readonly tags: StringMap;
  readonly put: (tags: StringMap) => void;
}

export function tagCalls(context: CallContext): Calls {
  return {
    async listTags(request: ResourceRef): Promise<StringMap> {
      return context.read(
        'listTags',
        request,
        ({ resourceArn }) => resourceOf(context, resourceArn).tags,
      );
    },
    async tagResource(request: ResourceRef & { readonly tags: StringMap }): Promise<void> {
      context.change('tagResource', request, ({ resourceArn, tags: added }) => {
        const { tags, put } = resourceOf(context, resourceArn);
        const changed = { ...tags, ...added };
        const { length } = Object.keys(changed);
        if (length > MAX_TAGS)
          throw new ClusterError(
            'BadRequestException',
            `tags: a resource can have at most ${MAX_TAGS} tags, not ${length}`,
          );
        put(changed);
      });
    },
    async untagResource(
      request: ResourceRef & { readonly tagKeys: readonly string[] },
    ): Promise<void> {
      context.change('untagResource', request, ({ resourceArn, tagKeys }) => {
        const { tags, put } = resourceOf(context, resourceArn);
        put(Object.fromEntries(Object.entries(tags).filter(([key]) => !tagKeys.includes(key))));
      });
    },
  };
}

function resourceOf(context: CallContext, arn: string): Tagged {
  if (!isArn(arn))
    throw new ClusterError(
      'BadRequestException',
      `resourceArn: ${arn.slice(0, SHOWN_CHARACTERS)} is not an ARN of a cluster or node group`,
    );
  const name = parseArn(context.owner, arn);
  const found = name && taggedBy(context, name);
  if (found) return found;
  throw new ClusterError('NotFoundException', `No resource found for ARN: ${arn}`);
}

function taggedBy({ store, owner }: CallContext, name: ResourceName): Tagged | undefined {
  const { project } = owner;
  if (name.kind === 'cluster') {
    const record = store.clusters.get({ project, name: name.clusterName });
    const put = (tags: StringMap) => {
      if (record) store.clusters.put(project, { ...record, cluster: { ...record.cluster, tags } });
    };
    return record && { tags: record.cluster.tags, put };
  }
  const names = { project, cluster: name.clusterName, name: name.nodegroupName };
  const record = store.nodegroups.get(names);
  if (!record?.nodegroup.nodegroupArn.endsWith(`/${name.id}`)) return undefined;
  const put = (tags: StringMap) =>
    store.nodegroups.put(project, { ...record, nodegroup: { ...record.nodegroup, tags } });
  return { tags: record.nodegroup.tags, put };
}
