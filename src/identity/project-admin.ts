/** Defines the interface for administering projects. All users of a project share its buckets. */

import type { ProjectNames } from '../base/principal.ts';

export interface ListedProject extends ProjectNames {
  /**
   * The project's email address, which is unique. An ACL can grant permissions to the project by
   * this address.
   */
  readonly email?: string;
  readonly users: number;
  /** The time at which the project was added, in milliseconds since 1970. */
  readonly createdAt: number;
}

export interface NewProject extends ProjectNames {
  readonly email?: string;
  /**
   * Whether to reuse the name of a removed project. The new project then gets all permissions that
   * ACLs and policies still grant to that name.
   */
  readonly again: boolean;
}

/**
 * Administers projects. When a method returns, its change is durable, and it applies to all later
 * requests.
 */
export interface ProjectAdmin {
  /** Returns all projects, sorted by customer and name. */
  listProjects(): readonly ListedProject[];
  /**
   * Returns a project. Like `removeProject` and `setEmail`, throws IdentityError `NotFound` for an
   * unknown project.
   */
  getProject(project: ProjectNames): ListedProject;
  /**
   * Adds a project. Throws IdentityError `BadRequest` for an invalid name or address. Throws `Conflict` if the project
   * exists, if the address belongs to another project, if the maximum number of projects is reached, or if a removed
   * project had this name and `again` is false.
   */
  addProject(project: NewProject): void;
  /**
   * Removes the project with its groups and its users' access keys. The caller must have checked
   * that the project owns no buckets.
   */
  removeProject(project: ProjectNames): void;
  /**
   * Sets the project's email address. If `email` is undefined, removes the address. Throws
   * IdentityError `BadRequest` for an invalid address, and `Conflict` if another project has the
   * address.
   */
  setEmail(project: ProjectNames, email: string | undefined): void;
}
