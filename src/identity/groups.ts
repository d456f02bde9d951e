/** Implements `GroupAdmin` with the identity database. */

import { projectId } from '../base/principal.ts';
import type { GroupAdmin, GroupNames, ListedGroup } from './group-admin.ts';
import type { IdentityDatabase } from './identity-database.ts';
import { IdentityError } from './identity-error.ts';
import { MemberTable } from './member-table.ts';
import { checkNames } from './names.ts';

/** The maximum number of groups, so that one response can list all of them. */
const MAX_GROUPS = 1_000;

interface GroupRow {
  readonly group_id: number;
  readonly project_id: number;
  readonly group: string;
  readonly project: string;
  readonly customer: string;
  readonly full_access: 0 | 1;
}

interface InGroup {
  readonly group_id: number;
  readonly user: string;
}

const SELECT = `
  SELECT group_id, project_id, user_group.name AS "group", project.name AS project, customer.name AS customer,
    full_access
  FROM user_group JOIN project USING (project_id) JOIN customer USING (customer_id)`;

const MEMBERS =
  'SELECT group_id, user FROM group_member JOIN member USING (project_id, user_id) ORDER BY user';

export class Groups implements GroupAdmin {
  readonly #database: IdentityDatabase;
  readonly #members: MemberTable;

  constructor(database: IdentityDatabase) {
    this.#database = database;
    this.#members = new MemberTable(database);
  }

  listGroups(): readonly ListedGroup[] {
    const members = this.#database.prepare<[], InGroup>(MEMBERS).all();
    const of = Map.groupBy(members, ({ group_id: group }) => group);
    return this.#all().map(({ group_id, group, project, customer, full_access }) => ({
      group,
      project,
      customer,
      fullAccess: full_access === 1,
      users: (of.get(group_id) ?? []).map(({ user }) => user),
    }));
  }

  addGroup({ fullAccess, ...group }: GroupNames & { readonly fullAccess: boolean }): void {
    checkNames(group);
    this.#database.change(() => {
      const { project_id: project } = this.#members.project(group);
      if (this.#find(group)) throw refused(group, 'the group exists already');
      if (this.#all().length >= MAX_GROUPS)
        throw refused(group, `the limit of ${MAX_GROUPS} groups is reached`);
      this.#database
        .prepare('INSERT INTO user_group (project_id, name, full_access) VALUES (?, ?, ?)')
        .run(project, group.group, fullAccess ? 1 : 0);
    });
  }

  removeGroup(group: GroupNames): void {
    this.#database.changeAccess(() => {
      const { group_id: id } = this.#get(group);
      this.#database.prepare('DELETE FROM user_group WHERE group_id = ?').run(id);
    });
  }

  grantGroup(group: GroupNames, fullAccess: boolean): void {
    this.#database.changeAccess(() => {
      const { group_id: id } = this.#get(group);
      this.#database
        .prepare('UPDATE user_group SET full_access = ? WHERE group_id = ?')
        .run(fullAccess ? 1 : 0, id);
    });
  }

  setMember(group: GroupNames, user: string, member: boolean): void {
    this.#database.changeAccess(() => {
      const { group_id: id } = this.#get(group);
      const { project_id: project, user_id } = this.#members.member({ ...group, user });
      const sql = member
        ? 'INSERT INTO group_member (project_id, group_id, user_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
        : 'DELETE FROM group_member WHERE project_id = ? AND group_id = ? AND user_id = ?';
      this.#database.prepare(sql).run(project, id, user_id);
    });
  }

  #all(): readonly GroupRow[] {
    return this.#database
      .prepare<[], GroupRow>(`${SELECT} ORDER BY customer, project, "group"`)
      .all();
  }

  #find({ group, project, customer }: GroupNames): GroupRow | undefined {
    return this.#database
      .prepare<[string, string, string], GroupRow>(
        `${SELECT} WHERE user_group.name = ? AND project.name = ? AND customer.name = ?`,
      )
      .get(group, project, customer);
  }

  #get(group: GroupNames): GroupRow {
    const row = this.#find(group);
    if (row) return row;
    throw new IdentityError(
      'NotFound',
      `group ${group.group} does not exist in ${projectId(group)}`,
      'to list all groups: holdfast admin groups list',
    );
  }
}

function refused(group: GroupNames, reason: string): IdentityError {
  return new IdentityError(
    'Conflict',
    `cannot add group ${group.group} to ${projectId(group)}: ${reason}`,
  );
}
