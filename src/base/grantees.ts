/** The users and projects that ACLs and policies can grant permissions to. A store checks names before it stores them. */

export interface Grantees {
  /** Returns whether the user (`project:user@customer`) or the project (`project@customer`) exists. */
  exists(id: string): boolean;
  /** Returns the id `project@customer` of the project with this e-mail address; ignores case. */
  findByEmail(email: string): string | undefined;
}
