/** Implements `ProjectAdmin` and `Grantees` with the identity database. */

import { defined } from '../base/defined.ts';
import type { Grantees } from '../base/grantees.ts';
import { parseStorageId, projectId, type ProjectNames } from '../base/principal.ts';
import type { IdentityDatabase } from './identity-database.ts';
import { IdentityError } from './identity-error.ts';
import { MemberTable, retiredName, type ProjectRow } from './member-table.ts';
import { checkEmail, checkNames } from './names.ts';
import type { ListedProject, NewProject, ProjectAdmin } from './project-admin.ts';

/** The maximum number of projects, so that one response can list all of them. */
const MAX_PROJECTS = 1_000;

export class Projects implements ProjectAdmin, Grantees {
  readonly #database: IdentityDatabase;
  readonly #table: MemberTable;

  constructor(database: IdentityDatabase) {
    this.#database = database;
    this.#table = new MemberTable(database);
  }

  exists(id: string): boolean {
    const names = parseStorageId(id);
    if (names === undefined) return false;
    const row = 'user' in names ? this.#table.findMember(names) : this.#table.findProject(names);
    return row !== undefined;
  }

  findByEmail(email: string): string | undefined {
    const row = this.#table.projectOfEmail(email);
    return row && projectId(row);
  }

  listProjects(): readonly ListedProject[] {
    return this.#table.projects().map(toProject);
  }

  getProject(project: ProjectNames): ListedProject {
    return toProject(this.#table.project(project));
  }

  addProject({ email, again, ...project }: NewProject): void {
    checkNames(project);
    this.#database.change((at) => {
      this.#checkNew(project, again);
      this.#table.ensureProject(project, at);
      this.#setEmail(project, email);
    });
  }

  removeProject(project: ProjectNames): void {
    this.#database.change((at) => this.#table.deleteProject(this.#table.project(project), at));
  }

  setEmail(project: ProjectNames, email: string | undefined): void {
    this.#database.change(() => this.#setEmail(project, email));
  }

  #checkNew(project: ProjectNames, again: boolean): void {
    const id = projectId(project);
    if (this.#table.findProject(project)) {
      throw new IdentityError('Conflict', `cannot add project ${id}: it exists already`);
    }
    const retiredAt = this.#table.retiredAt(id);
    if (retiredAt !== undefined && !again) throw retiredName(id, retiredAt);
    if (this.#table.projects().length < MAX_PROJECTS) return;
    throw new IdentityError(
      'Conflict',
      `cannot add project ${id}: the limit of ${MAX_PROJECTS} projects is reached`,
    );
  }

  #setEmail(project: ProjectNames, email: string | undefined): void {
    const row = this.#table.project(project);
    if (email !== undefined) checkEmail(email);
    const other = email === undefined ? undefined : this.#table.projectOfEmail(email);
    if (other !== undefined && other.project_id !== row.project_id) {
      const reason = `${email} belongs to ${projectId(other)}`;
      throw new IdentityError('Conflict', `cannot set e-mail of ${projectId(row)}: ${reason}`);
    }
    this.#table.setEmail(row, email ?? null);
  }
}

function toProject({ project, customer, email, users, created_at }: ProjectRow): ListedProject {
  return {
    project,
    customer,
    users,
    createdAt: created_at,
    ...defined({ email: email ?? undefined }),
  };
}
