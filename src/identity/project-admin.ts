/** Declares the administration of projects. The users of a project share its buckets. */

import type { ProjectNames } from '../base/principal.ts';

export interface ListedProject extends ProjectNames {
  /**
   * The e-mail address, which is unique. ACLs can grant permissions to the project by this address.
   */
  readonly email?: string;
  readonly users: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export interface NewProject extends ProjectNames {
  readonly email?: string;
  /**
   * Whether to reuse the name of a removed project, with all permissions that ACLs and policies
   * still grant to that name.
   */
  readonly again: boolean;
}

/**
 * Administers projects. A change is durable when its method returns, and applies from the next
 * request.
 */
export interface ProjectAdmin {
  /** Returns all projects, sorted by customer and name. */
  listProjects(): readonly ListedProject[];
  /** Returns a project. Throws IdentityError `NotFound`, as do `removeProject` and `setEmail`. */
  getProject(project: ProjectNames): ListedProject;
  /**
   * Adds a project. Throws IdentityError `BadRequest` for an invalid name or address. Throws
   * `Conflict` if the project exists, if another project has the address, if the limit of projects
   * is reached, or if a removed project had the name and `again` is false.
   */
  addProject(project: NewProject): void;
  /**
   * Removes the project with its groups and the keys of its users. The caller must check that the
   * project owns no buckets.
   */
  removeProject(project: ProjectNames): void;
  /**
   * Sets the e-mail address, or removes it if `email` is undefined. Throws IdentityError
   * `BadRequest` for an invalid address, and `Conflict` if another project has it.
   */
  setEmail(project: ProjectNames, email: string | undefined): void;
}
