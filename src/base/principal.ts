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

/**
 * Whoever follows a download link: no user, but the service itself, limited to one thing with one object
 * (specification, "Authentication" 8: it works regardless of the user's rights on the object).
 */
export interface LinkPrincipal {
  readonly kind: 'link';
  readonly does: 'get' | 'put';
  readonly bucket: string;
  readonly key: string;
  /** Absent: the current version. */
  readonly versionId?: string;
}

export type Principal = UserPrincipal | LinkPrincipal | { readonly kind: 'anonymous' };

/** The names of a user in a project. */
export type UserNames = Pick<UserPrincipal, 'customer' | 'project' | 'user'>;
/** The names of a project. */
export type ProjectNames = Pick<UserPrincipal, 'customer' | 'project'>;

/** The storage user id `project:user@customer`, which is also the shape of an access key id. */
export function principalId({ project, user, customer }: UserNames): string {
  return `${project}:${user}@${customer}`;
}

/** A project as a grantee: `project@customer` (specification, "Access rights (ACL)"). */
export function projectId({ project, customer }: ProjectNames): string {
  return `${project}@${customer}`;
}

/**
 * The names in `project:user@customer` or `project@customer`. The first colon ends the project and the last `@` begins
 * the customer, so that what is between may hold both.
 */
export function parseStorageId(id: string): UserNames | ProjectNames | undefined {
  const at = id.lastIndexOf('@');
  const customer = id.slice(at + 1);
  const colon = id.indexOf(':');
  if (at < 1 || customer === '' || colon === 0) return undefined;
  if (colon < 0 || colon > at) return { project: id.slice(0, at), customer };
  const user = id.slice(colon + 1, at);
  return user === '' ? undefined : { project: id.slice(0, colon), user, customer };
}
