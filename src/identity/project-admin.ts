/** What a command may do with projects, whose users share their buckets. */

import type { ProjectNames } from '../base/principal.ts';

export interface ListedProject extends ProjectNames {
  /** By which rights can be given to it; no two projects have the same. */
  readonly email?: string;
  readonly users: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export interface NewProject extends ProjectNames {
  readonly email?: string;
  /** Takes a name that a removed project had, with all rights that others have given to that name. */
  readonly again: boolean;
}

/** All changes are durable when they return, and hold from the next request on. */
export interface ProjectAdmin {
  /** By customer and name. */
  listProjects(): readonly ListedProject[];
  /** Throws IdentityError `NotFound`, as all that follow do. */
  getProject(project: ProjectNames): ListedProject;
  /** Throws IdentityError `Conflict` for one that is there, a name or an e-mail that is another's. */
  addProject(project: NewProject): void;
  /** With its groups, and its users' keys in it. Whether it owns buckets is the caller's to know. */
  removeProject(project: ProjectNames): void;
  /** Undefined takes it away. */
  setEmail(project: ProjectNames, email: string | undefined): void;
}
