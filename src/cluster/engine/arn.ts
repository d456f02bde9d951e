/**
 * Formats and parses ARNs: `arn:aws:eks:REGION:PROJECT:cluster/NAME` and
 * `…:nodegroup/CLUSTER/NAME/ID`.
 */

export interface Owner {
  readonly region: string;
  /** The project ID, `project@customer`. */
  readonly project: string;
}

export type ResourceName =
  | { readonly kind: 'cluster'; readonly clusterName: string }
  | {
      readonly kind: 'nodegroup';
      readonly clusterName: string;
      readonly nodegroupName: string;
      readonly id: string;
    };

export function clusterArn({ region, project }: Owner, name: string): string {
  return `arn:aws:eks:${region}:${project}:cluster/${name}`;
}

export function nodegroupArn(
  { region, project }: Owner,
  { clusterName, nodegroupName, id }: Omit<Extract<ResourceName, { kind: 'nodegroup' }>, 'kind'>,
): string {
  return `arn:aws:eks:${region}:${project}:nodegroup/${clusterName}/${nodegroupName}/${id}`;
}

const ARN = /^arn:[\w-]+:eks:[\w-]+:[^:]+:(?:cluster\/[^/]+|nodegroup\/[^/]+\/[^/]+\/[^/]+)$/;

/** Returns whether the text has the form of an ARN of this service, for any owner. */
export function isArn(text: string): boolean {
  return ARN.test(text);
}

/**
 * Returns the resource that an ARN identifies. Returns undefined if the text is not an ARN of this
 * owner.
 */
export function parseArn({ region, project }: Owner, arn: string): ResourceName | undefined {
  const start = `arn:aws:eks:${region}:${project}:`;
  if (!arn.startsWith(start)) return undefined;
  const [kind, clusterName, nodegroupName, id, ...more] = arn.slice(start.length).split('/');
  if (!clusterName || more.length > 0) return undefined;
  if (kind === 'cluster' && nodegroupName === undefined) return { kind, clusterName };
  if (kind === 'nodegroup' && nodegroupName && id) return { kind, clusterName, nodegroupName, id };
  return undefined;
}
