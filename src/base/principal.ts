/** Who acts: the answer of authentication and the question of authorisation. */

/** A user of a project of a customer (specification, "Authentication" 4: `<project_id>:<user>@<customer>`). */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly project: string;
  readonly user: string;
  readonly customer: string;
  /** Holds the full-access privilege on object storage ("Authentication" 7). */
  readonly fullAccess: boolean;
}

export type Principal = UserPrincipal | { readonly kind: 'anonymous' };

/** The storage user id `project:user@customer`, which is also the shape of an access key id. */
export function principalId({
  project,
  user,
  customer,
}: Pick<UserPrincipal, 'customer' | 'project' | 'user'>): string {
  return `${project}:${user}@${customer}`;
}
