/** Administration of projects. The users of a project share its buckets. */

import type { ProjectNames } from '../base/principal.ts';

export interface ListedProject extends ProjectNames {
  /** Unique. ACLs can grant permissions to the project by this address. */
  readonly email?: string;
  readonly users: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export interface NewProject extends ProjectNames {
  readonly email?: string;
  /** Reuses the name of a removed project, with all permissions that ACLs and policies still grant to that name. */
  readonly again: boolean;
}

/** All changes are durable when they return, and apply from the next request. */
export interface ProjectAdmin {
  /** Sorted by customer and name. */
  listProjects(): readonly ListedProject[];
  /** Throws IdentityError `NotFound`, as do all methods below. */
  getProject(project: ProjectNames): ListedProject;
  /** Throws IdentityError `Conflict` if the project exists, or if its name or e-mail belongs to another project. */
  addProject(project: NewProject): void;
  /** Removes the project with its groups and the keys of its users. The caller checks that it owns no buckets. */
  removeProject(project: ProjectNames): void;
  /** An undefined `email` removes the address. */
  setEmail(project: ProjectNames, email: string | undefined): void;
}
