/**
 * Implements `ClusterService` by sending signed HTTP requests in the `amz` or `svc` dialect. It works with any service
 * that offers this HTTP API.
 */

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
  /** The URL of the service, `https://host[:port][/path]`. The specification calls it {cluster_api_url}. */
  readonly url: string;
  readonly region: string;
  /** The dialect, with the service code of the credential scope (usually `eks`). */
  readonly dialect: Dialect;
  readonly credentials: SigningCredentials;
  /** CA certificates in PEM. They replace the default certificate authorities. */
  readonly ca?: string;
  /** The http or https URL of a proxy, or `none`. If absent, the proxy variables in `environment` apply. */
  readonly proxy?: string;
  readonly environment?: Environment;
  /** Called when the service rejects the access key, because the key may have been replaced. */
  readonly onKeyRefused?: () => void;
  readonly clock: Clock;
}

export interface ClusterClient extends ClusterService {
  /** The methods that the service rejected as unknown operations. */
  readonly missing: ReadonlySet<Method>;
  /** Closes the connections. Calls in progress reject with TransportError. */
  close(): Promise<void>;
}

/**
 * Returns a client. The client connects when it is first called. Throws TypeError for an invalid URL or an invalid
 * proxy.
 */
export function openClusterClient(options: ClusterClientOptions): ClusterClient {
  const sender = new ClusterSender(options);
  const missing = new Set<Method>();
  const perform = async (method: Method, request: unknown, signal?: AbortSignal) => {
    const { name } = OPERATIONS[method];
    // Do not send an invalid request. The error names the invalid field, like an error of the service.
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

/**
 * Returns the result of a call, with default values for omitted lists and maps. Throws ClusterError `ServerException`
 * if the response does not contain the result.
 */
function checked(method: Method, answer: unknown, url: string): unknown {
  const { name, answer: member } = OPERATIONS[method];
  if (answer !== undefined) return withDefaults(member, answer);
  throw new ClusterError(
    'ServerException',
    `${name}: the response of ${url} has no field ${member ?? 'at all'}`,
  );
}

/** The default values of lists and maps that a service may omit, by the response field that contains the result. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  nodegroup: {
    labels: {},
    tags: {},
    taints: [],
    subnets: [],
    instanceTypes: [],
    health: { issues: [] },
    resources: { autoScalingGroups: [] },
  },
  cluster: { tags: {}, resourcesVpcConfig: {}, health: { issues: [] } },
  update: { errors: [] },
};

function withDefaults(member: string | undefined, answer: unknown): unknown {
  const defaults = member === undefined ? undefined : DEFAULTS[member];
  return defaults && typeof answer === 'object' ? { ...defaults, ...answer } : answer;
}
