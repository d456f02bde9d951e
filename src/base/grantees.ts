/**
 * Defines how a store checks whether the users and projects named in ACLs and policies exist. The check runs before the
 * ACL or policy is stored.
 */

export interface Grantees {
  /** Returns whether the user (`project:user@customer`) or the project (`project@customer`) exists. */
  exists(id: string): boolean;
  /** Returns the ID `project@customer` of the project with this email address. Ignores case. */
  findByEmail(email: string): string | undefined;
}
