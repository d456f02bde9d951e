/**
 * Provides the parts that every call needs: the caller's project, transactions, and record
 * look-ups.
 */

import { projectId } from '../../base/principal.ts';
import type { Caller } from '../caller.ts';
import { ClusterError, type Concerned } from '../cluster-error.ts';
import type { NodegroupRef } from '../cluster-service.ts';
import { type Method, type Parsed, parseRequest } from '../rules/check.ts';
import type { ClusterRecord, NodegroupRecord } from '../rules/records.ts';
import type { Owner } from './arn.ts';
import type { ClusterStore } from './cluster-store.ts';

export class CallContext {
  readonly store: ClusterStore;
  readonly owner: Owner;
  readonly #caller: Caller;

  constructor(
    store: ClusterStore,
    { caller, region }: { readonly caller: Caller; readonly region: string },
  ) {
    this.store = store;
    this.owner = { region, project: projectId(caller) };
    this.#caller = caller;
  }

  read<M extends Method, T>(
    method: M,
    request: unknown,
    work: (parsed: Parsed<M>, now: number) => T,
  ): T {
    const parsed = parseRequest(method, request);
    return this.store.transact((now) => work(parsed, now));
  }

  /**
   * Validates the request and runs `work` in a transaction. For requests with the same token, runs `work` only once.
   * Throws ClusterError `AccessDeniedException` if the caller does not have full access.
   */
  change<M extends Method, T>(
    method: M,
    request: unknown,
    work: (parsed: Parsed<M>, now: number) => T,
  ): T {
    if (!this.#caller.fullAccess)
      throw new ClusterError(
        'AccessDeniedException',
        `${method}: user ${this.#caller.user} has no full access to project ${this.owner.project}`,
      );
    const parsed = parseRequest(method, request);
    const { project } = this.owner;
    return this.store.transact((now) =>
      this.store.once({ project, method, request: parsed, token: tokenOf(parsed), now }, () =>
        work(parsed, now),
      ),
    );
  }

  clusterOf(clusterName: string): ClusterRecord {
    const found = this.store.clusters.get({ project: this.owner.project, name: clusterName });
    if (found) return found;
    throw notFound(`No cluster found for name: ${clusterName}.`, { clusterName });
  }

  nodegroupOf({ clusterName, nodegroupName }: NodegroupRef): NodegroupRecord {
    this.clusterOf(clusterName);
    const { project } = this.owner;
    const names = { project, cluster: clusterName, name: nodegroupName };
    const found = this.store.nodegroups.get(names);
    if (found) return found;
    throw notFound(`No node group found for name: ${nodegroupName}.`, {
      clusterName,
      nodegroupName,
    });
  }
}

export const inUse = (message: string, concerned: Concerned) =>
  refusal('ResourceInUseException', message, concerned);
export const notFound = (message: string, concerned: Concerned) =>
  refusal('ResourceNotFoundException', message, concerned);
export const tooMany = (message: string, concerned: Concerned) =>
  refusal('ResourceLimitExceededException', message, concerned);

/**
 * Creates a ClusterError. Accepts a whole request, but copies only the names of the cluster and the node group to the
 * error.
 */
function refusal(
  code: 'ResourceInUseException' | 'ResourceNotFoundException' | 'ResourceLimitExceededException',
  message: string,
  { clusterName, nodegroupName }: Concerned,
): ClusterError {
  return new ClusterError(code, message, { clusterName, nodegroupName });
}

function tokenOf(request: object): string | undefined {
  return 'clientRequestToken' in request ? (request.clientRequestToken as string) : undefined;
}
