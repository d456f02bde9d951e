/** Declares how a store checks the names of users and projects in ACLs and policies before it stores them. */

export interface Grantees {
  /** Returns whether the user (`project:user@customer`) or the project (`project@customer`) exists. */
  exists(id: string): boolean;
  /** Returns the ID `project@customer` of the project with this email address. Ignores case. */
  findByEmail(email: string): string | undefined;
}
