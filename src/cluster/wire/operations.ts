/**
 * Defines the HTTP form of the cluster service's operations: REST with JSON (specification, "Endpoints";
 * semantics B.19).
 */

import type { Method } from '../rules/check.ts';
import { fromWire, toWire } from './members.ts';

export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path of the operation's URL. `{field}` stands for one percent-encoded path segment. */
  readonly path: string;
  /** The request fields in the query. All other fields are in the path or in the body. */
  readonly query?: readonly string[];
  /** The field of the response document that contains the result. Absent if the document itself is the result. */
  readonly answer?: string;
  /** The public name of the operation, such as `CreateNodegroup`. */
  readonly name: string;
}

const PAGE = ['maxResults', 'nextToken'];
const CLUSTER = '/clusters/{clusterName}';
const GROUPS = `${CLUSTER}/node-groups`;
const GROUP = `${GROUPS}/{nodegroupName}`;
const TAGS = '/tags/{resourceArn}';

/** The operations, by method of `ClusterService`. The specification defines the first four. */
export const OPERATIONS: Readonly<Record<Method, Operation>> = {
  createNodegroup: { name: 'CreateNodegroup', method: 'POST', path: GROUPS, answer: 'nodegroup' },
  updateNodegroupConfig: {
    name: 'UpdateNodegroupConfig',
    method: 'POST',
    path: `${GROUP}/update-config`,
    answer: 'update',
  },
  deleteNodegroup: { name: 'DeleteNodegroup', method: 'DELETE', path: GROUP, answer: 'nodegroup' },
  deleteCluster: { name: 'DeleteCluster', method: 'DELETE', path: CLUSTER, answer: 'cluster' },
  createCluster: { name: 'CreateCluster', method: 'POST', path: '/clusters', answer: 'cluster' },
  describeCluster: { name: 'DescribeCluster', method: 'GET', path: CLUSTER, answer: 'cluster' },
  listClusters: { name: 'ListClusters', method: 'GET', path: '/clusters', query: PAGE },
  describeNodegroup: {
    name: 'DescribeNodegroup',
    method: 'GET',
    path: GROUP,
    answer: 'nodegroup',
  },
  listNodegroups: { name: 'ListNodegroups', method: 'GET', path: GROUPS, query: PAGE },
  updateNodegroupVersion: {
    name: 'UpdateNodegroupVersion',
    method: 'POST',
    path: `${GROUP}/update-version`,
    answer: 'update',
  },
  describeUpdate: {
    name: 'DescribeUpdate',
    method: 'GET',
    path: `${CLUSTER}/updates/{updateId}`,
    query: ['nodegroupName'],
    answer: 'update',
  },
  cancelUpdate: {
    name: 'CancelUpdate',
    method: 'POST',
    path: `${CLUSTER}/updates/{updateId}/cancel-update`,
    query: ['nodegroupName'],
    answer: 'update',
  },
  listUpdates: {
    name: 'ListUpdates',
    method: 'GET',
    path: `${CLUSTER}/updates`,
    query: ['nodegroupName', ...PAGE],
  },
  listTags: { name: 'ListTagsForResource', method: 'GET', path: TAGS, answer: 'tags' },
  tagResource: { name: 'TagResource', method: 'POST', path: TAGS },
  untagResource: { name: 'UntagResource', method: 'DELETE', path: TAGS, query: ['tagKeys'] },
};

/** Returns the response document for the result of an operation. */
export function encodeAnswer(method: Method, answer: unknown): unknown {
  const { answer: name } = OPERATIONS[method];
  // The whole document is converted, so that `toWire` recognizes a map of tags and leaves its keys unchanged.
  return toWire(name === undefined ? (answer ?? {}) : { [name]: answer });
}

/** Returns the result from a response document. Returns undefined if the field with the result is absent. */
export function decodeAnswer(method: Method, document: unknown): unknown {
  const { answer: name } = OPERATIONS[method];
  if (typeof document !== 'object' || document === null) return undefined;
  const members = fromWire(document) as Readonly<Record<string, unknown>>;
  return name === undefined ? members : members[name];
}
