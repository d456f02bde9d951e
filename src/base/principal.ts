/**
 * Defines principals. Authentication determines the principal of a request, and authorization decides what the
 * principal may do.
 */

/** A user of a project (specification, "Authentication" 4: `<project_id>:<user>@<customer>`). */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly project: string;
  readonly user: string;
  readonly customer: string;
  /** Whether the user has the full-access privilege on object storage ("Authentication" 7). */
  readonly fullAccess: boolean;
}

/**
 * The principal of a presigned URL that the service created. It is the service itself, limited to one operation on one
 * object. The permissions of a user on the object do not matter (specification, "Authentication" 8).
 */
export interface LinkPrincipal {
  readonly kind: 'link';
  readonly does: 'get' | 'put';
  readonly bucket: string;
  readonly key: string;
  /** The version ID; absent for the current version. */
  readonly versionId?: string;
}

export type Principal = UserPrincipal | LinkPrincipal | { readonly kind: 'anonymous' };

/** The names that identify a user in a project. */
export type UserNames = Pick<UserPrincipal, 'customer' | 'project' | 'user'>;
/** The names that identify a project. */
export type ProjectNames = Pick<UserPrincipal, 'customer' | 'project'>;

/** Returns the storage user ID `project:user@customer`, which also has the form of an access key ID. */
export function principalId({ project, user, customer }: UserNames): string {
  return `${project}:${user}@${customer}`;
}

/** Returns the ID of a project in ACLs: `project@customer` (specification, "Access rights (ACL)"). */
export function projectId({ project, customer }: ProjectNames): string {
  return `${project}@${customer}`;
}

/**
 * Parses `project:user@customer` or `project@customer`. Returns undefined for any other text. The first colon ends the
 * project name and the last `@` precedes the customer name, so a user name can contain both characters.
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
