/** Reads and writes the tables of customers, projects, users, project members and retired names. */

import type { ProjectNames, UserNames } from '../base/principal.ts';
import { principalId, projectId } from '../base/principal.ts';
import type { IdentityDatabase } from './identity-database.ts';
import { IdentityError } from './identity-error.ts';

export interface MemberRow extends UserNames {
  readonly project_id: number;
  readonly user_id: number;
  readonly full_access: 0 | 1;
  readonly granted: 0 | 1;
  readonly disabled: 0 | 1;
  readonly created_at: number;
}

export interface ProjectRow extends ProjectNames {
  readonly project_id: number;
  readonly email: string | null;
  readonly created_at: number;
  readonly users: number;
}

const PROJECTS = `
  SELECT project_id, project.name AS project, customer.name AS customer, email, project.created_at,
    (SELECT count(*) FROM membership m WHERE m.project_id = project.project_id) AS users
  FROM project JOIN customer USING (customer_id)`;

/** Deletes users that belong to no project, and customers that have no project. */
const DELETE_UNUSED = [
  'DELETE FROM user WHERE user_id NOT IN (SELECT user_id FROM membership)',
  'DELETE FROM customer WHERE customer_id NOT IN (SELECT customer_id FROM project)',
];

export class MemberTable {
  readonly #database: IdentityDatabase;

  constructor(database: IdentityDatabase) {
    this.#database = database;
  }

  members(): readonly MemberRow[] {
    return this.#database
      .prepare<[], MemberRow>('SELECT * FROM member ORDER BY customer, project, user')
      .all();
  }

  countMembers(): number {
    return this.#database.prepare<[], number>('SELECT count(*) FROM membership').pluck().get() ?? 0;
  }

  findMember({ customer, project, user }: UserNames): MemberRow | undefined {
    return this.#database
      .prepare<[string, string, string], MemberRow>(
        'SELECT * FROM member WHERE customer = ? AND project = ? AND user = ?',
      )
      .get(customer, project, user);
  }

  projects(): readonly ProjectRow[] {
    return this.#database
      .prepare<[], ProjectRow>(`${PROJECTS} ORDER BY customer.name, project.name`)
      .all();
  }

  findProject({ customer, project }: ProjectNames): ProjectRow | undefined {
    return this.#database
      .prepare<[string, string], ProjectRow>(
        `${PROJECTS} WHERE customer.name = ? AND project.name = ?`,
      )
      .get(customer, project);
  }

  /** Returns the row of a user in a project. Throws IdentityError `NotFound` if the user does not exist. */
  member(user: UserNames): MemberRow {
    const row = this.findMember(user);
    if (row === undefined) throw userNotFound(user);
    return row;
  }

  /** Returns the row of a project. Throws IdentityError `NotFound` if the project does not exist. */
  project(project: ProjectNames): ProjectRow {
    const row = this.findProject(project);
    if (row) return row;
    throw new IdentityError(
      'NotFound',
      `project ${projectId(project)} does not exist`,
      'to list all projects: holdfast admin projects list; to add one: holdfast admin projects add',
    );
  }

  /** Inserts the customer and the project unless they exist. */
  ensureProject({ customer, project }: ProjectNames, at: number): void {
    this.#run('INSERT INTO customer (name, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING', [
      customer,
      at,
    ]);
    this.#run(
      `INSERT INTO project (customer_id, name, created_at)
       SELECT customer_id, ?, ? FROM customer WHERE name = ? ON CONFLICT DO NOTHING`,
      [project, at, customer],
    );
  }

  /** Inserts the user unless it exists, and adds it to the project without full access. The project must exist. */
  ensureMember({ customer, project, user }: UserNames, at: number): void {
    this.#run(
      `INSERT INTO user (customer_id, name, created_at)
       SELECT customer_id, ?, ? FROM customer WHERE name = ? ON CONFLICT DO NOTHING`,
      [user, at, customer],
    );
    this.#run(
      `INSERT INTO membership (project_id, user_id, full_access)
       SELECT project_id, user_id, 0 FROM customer JOIN project USING (customer_id) JOIN user USING (customer_id)
       WHERE customer.name = ? AND project.name = ? AND user.name = ? ON CONFLICT DO NOTHING`,
      [customer, project, user],
    );
  }

  grant({ project_id: project, user_id: user }: MemberRow, fullAccess: boolean): void {
    this.#run('UPDATE membership SET full_access = ? WHERE project_id = ? AND user_id = ?', [
      fullAccess ? 1 : 0,
      project,
      user,
    ]);
  }

  setDisabledAt({ user_id: user }: MemberRow, at: number | null): void {
    this.#run('UPDATE user SET disabled_at = ? WHERE user_id = ?', [at, user]);
  }

  setEmail({ project_id: project }: ProjectRow, email: string | null): void {
    this.#run('UPDATE project SET email = ? WHERE project_id = ?', [email, project]);
  }

  projectOfEmail(email: string): ProjectRow | undefined {
    return this.#database.prepare<[string], ProjectRow>(`${PROJECTS} WHERE email = ?`).get(email);
  }

  /**
   * Removes the user from the project, and deletes the user's access keys for this project. Deletes the user if it
   * belongs to no other project.
   */
  deleteMember(member: MemberRow, at: number): void {
    const { project_id: project, user_id: user } = member;
    this.#retire(principalId(member), at);
    this.#run('DELETE FROM access_key WHERE project_id = ? AND user_id = ?', [project, user]);
    this.#run('DELETE FROM membership WHERE project_id = ? AND user_id = ?', [project, user]);
    this.#deleteUnused();
  }

  /** Deletes the project with its groups and its users' access keys. Deletes users that belong to no other project. */
  deleteProject(row: ProjectRow, at: number): void {
    const { project_id: project } = row;
    for (const member of this.members()) {
      if (member.project_id === project) this.#retire(principalId(member), at);
    }
    this.#retire(projectId(row), at);
    for (const table of ['access_key', 'user_group', 'membership', 'project']) {
      this.#run(`DELETE FROM ${table} WHERE project_id = ?`, [project]);
    }
    this.#deleteUnused();
  }

  /**
   * Returns when a user or project with this ID was first removed, in milliseconds since 1970. Returns undefined if
   * this has not happened.
   */
  retiredAt(id: string): number | undefined {
    return this.#database
      .prepare<[string], number>('SELECT retired_at FROM retired WHERE id = ?')
      .pluck()
      .get(id);
  }

  #retire(id: string, at: number): void {
    this.#run('INSERT INTO retired VALUES (?, ?) ON CONFLICT DO NOTHING', [id, at]);
  }

  #deleteUnused(): void {
    for (const sql of DELETE_UNUSED) this.#run(sql, []);
  }

  #run(sql: string, values: readonly (string | number | null)[]): void {
    this.#database.prepare(sql).run(...values);
  }
}

export function userNotFound(user: UserNames): IdentityError {
  return new IdentityError(
    'NotFound',
    `user ${principalId(user)} does not exist`,
    'to list all users: holdfast admin users list; to add one: holdfast admin users add',
  );
}

/**
 * Returns the error for a new user or project with the name of a removed one, because ACLs and policies may still grant
 * permissions to that name.
 */
export function retiredName(id: string, retiredAt: number): IdentityError {
  const day = new Date(retiredAt).toISOString().slice(0, 10);
  return new IdentityError(
    'Conflict',
    `cannot add ${id}: this name was removed on ${day}, and ACLs or policies may still grant permissions to it`,
    'choose another name, or add --again if it is the same user or project',
  );
}
