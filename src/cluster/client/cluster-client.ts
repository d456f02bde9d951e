/** `ClusterService` over signed HTTP, in either dialect, against any service of the interface. */

import type { Clock } from '../../base/clock.ts';
import type { Environment } from '../../client/proxy.ts';
import type { Dialect } from '../../protocol/dialect.ts';
import type { SigningCredentials } from '../../protocol/signing/signing-key.ts';
import { ClusterError } from '../cluster-error.ts';
import type { CallOptions, ClusterService } from '../cluster-service.ts';
import { type Method, parseRequest } from '../rules/check.ts';
import { decodeAnswer, OPERATIONS } from '../wire/operations.ts';
import { requestOf } from '../wire/request.ts';
import { ClusterSender } from './cluster-sender.ts';

export interface ClusterClientOptions {
  /** `https://host[:port][/path]`: what the interface calls {cluster_api_url}. */
  readonly url: string;
  readonly region: string;
  /** With the code of the service, `eks` for the usual ones. */
  readonly dialect: Dialect;
  readonly credentials: SigningCredentials;
  /** Certificates in PEM that are trusted instead of the usual authorities. */
  readonly ca?: string;
  /** An http or https URL, or `none`; without it `environment` decides. */
  readonly proxy?: string;
  readonly environment?: Environment;
  /** Called when the service refuses the access key, because it may have been replaced. */
  readonly onKeyRefused?: () => void;
  readonly clock: Clock;
}

export interface ClusterClient extends ClusterService {
  /** What the service was found not to have. */
  readonly missing: ReadonlySet<Method>;
  /** Calls in flight fail with TransportError. */
  close(): Promise<void>;
}

/** Connects when it is first used. Throws TypeError for a URL or a proxy that is none. */
export function openClusterClient(options: ClusterClientOptions): ClusterClient {
  const sender = new ClusterSender(options);
  const missing = new Set<Method>();
  const perform = async (method: Method, request: unknown, signal?: AbortSignal) => {
    const { name } = OPERATIONS[method];
    // What no service takes is not sent, and the error names the member here as there.
    const wire = requestOf(method, parseRequest(method, request));
    try {
      const document = await sender.send(wire, signal);
      return checked(method, decodeAnswer(method, document), sender.url);
    } catch (error) {
      if (!(error instanceof ClusterError) || error.code !== 'UnknownOperationException')
        throw error;
      missing.add(method);
      const message = `${name}: the service at ${sender.url} does not have this operation`;
      throw new ClusterError(error.code, message, { cause: error });
    }
  };
  const call = <M extends Method>(method: M, request: unknown, options?: CallOptions): Called<M> =>
    perform(method, request, options?.signal) as Called<M>;
  return {
    missing,
    close: () => sender.close(),
    createCluster: (request, more) => call('createCluster', request, more),
    describeCluster: (request, more) => call('describeCluster', request, more),
    listClusters: (request, more) => call('listClusters', request, more),
    deleteCluster: (request, more) => call('deleteCluster', request, more),
    createNodegroup: (request, more) => call('createNodegroup', request, more),
    describeNodegroup: (request, more) => call('describeNodegroup', request, more),
    listNodegroups: (request, more) => call('listNodegroups', request, more),
    deleteNodegroup: (request, more) => call('deleteNodegroup', request, more),
    updateNodegroupConfig: (request, more) => call('updateNodegroupConfig', request, more),
    updateNodegroupVersion: (request, more) => call('updateNodegroupVersion', request, more),
    describeUpdate: (request, more) => call('describeUpdate', request, more),
    cancelUpdate: (request, more) => call('cancelUpdate', request, more),
    listUpdates: (request, more) => call('listUpdates', request, more),
    listTags: (request, more) => call('listTags', request, more),
    tagResource: async (request, more) => {
      await call('tagResource', request, more);
    },
    untagResource: async (request, more) => {
      await call('untagResource', request, more);
    },
  };
}

type Called<M extends Method> = ReturnType<ClusterService[M]>;

/** A service may leave members out that ours always has; it may not leave out what was asked for. */
function checked(method: Method, answer: unknown, url: string): unknown {
  if (answer !== undefined) return withDefaults(answer);
  const { name, answer: member } = OPERATIONS[method];
  throw new ClusterError(
    'ServerException',
    `${name}: the answer of ${url} has no member ${member ?? 'at all'}`,
  );
}

/** Lists and maps that every response has, even if the service leaves them out. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  nodegroupName: {
    labels: {},
    tags: {},
    taints: [],
    subnets: [],
    instanceTypes: [],
    health: { issues: [] },
    resources: { autoScalingGroups: [] },
  },
  platformVersion: { tags: {}, resourcesVpcConfig: {}, health: { issues: [] } },
  params: { errors: [] },
};

function withDefaults(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const [, defaults = {}] = Object.entries(DEFAULTS).find(([member]) => member in answer) ?? [];
  return { ...defaults, ...answer };
}
