/** Whom rights may be given to: what a store asks before it keeps a name in an ACL or a policy. */

export interface Grantees {
  /** Whether there is such a user (`project:user@customer`) or project (`project@customer`). */
  exists(id: string): boolean;
  /** The project with that e-mail, as `project@customer`; case does not count. */
  findByEmail(email: string): string | undefined;
}
