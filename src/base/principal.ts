/** Principals: authentication returns them, and authorization decides about them. */

/** A user of a project of a customer (specification, "Authentication" 4: `<project_id>:<user>@<customer>`). */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly project: string;
  readonly user: string;
  readonly customer: string;
  /** Whether the user has the full-access privilege on object storage ("Authentication" 7). */
  readonly fullAccess: boolean;
}

/**
 * The principal of a presigned URL from the service: the service itself, limited to one operation on one object
 * (specification, "Authentication" 8: it works regardless of the user's permissions on the object).
 */
export interface LinkPrincipal {
  readonly kind: 'link';
  readonly does: 'get' | 'put';
  readonly bucket: string;
  readonly key: string;
  /** Absent for the current version. */
  readonly versionId?: string;
}

export type Principal = UserPrincipal | LinkPrincipal | { readonly kind: 'anonymous' };

/** The names of a user in a project. */
export type UserNames = Pick<UserPrincipal, 'customer' | 'project' | 'user'>;
/** The names of a project. */
export type ProjectNames = Pick<UserPrincipal, 'customer' | 'project'>;

/** Returns the storage user id `project:user@customer`, which is also the form of an access key id. */
export function principalId({ project, user, customer }: UserNames): string {
  return `${project}:${user}@${customer}`;
}

/** Returns the id of a project as a grantee: `project@customer` (specification, "Access rights (ACL)"). */
export function projectId({ project, customer }: ProjectNames): string {
  return `${project}@${customer}`;
}

/**
 * Parses `project:user@customer` or `project@customer`; returns undefined for other text. The first colon ends the project and
 * the last `@` begins the customer, so the user name may contain both characters.
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
