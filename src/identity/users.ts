/** Implements `UserAdmin` with the identity database. */

import { principalId, type UserNames } from '../base/principal.ts';
import type { ListedKey } from './identity.ts';
import type { IdentityDatabase } from './identity-database.ts';
import { IdentityError } from './identity-error.ts';
import type { Keys } from './keys.ts';
import { MemberTable, retiredName, type MemberRow } from './member-table.ts';
import { checkNames, furtherKeyId } from './names.ts';
import type { ListedUser, NewUser, UserAdmin } from './user-admin.ts';

/**
 * The maximum number of users in all projects. One response of the control socket can list all of them, even with the
 * longest names.
 */
const MAX_USERS = 5_000;

interface InGroup {
  readonly project_id: number;
  readonly user_id: number;
  readonly name: string;
}

const GROUPS = `
  SELECT project_id, user_id, name FROM group_member JOIN user_group USING (project_id, group_id) ORDER BY name`;

export class Users implements UserAdmin {
  readonly #database: IdentityDatabase;
  readonly #table: MemberTable;
  readonly #keys: Keys;

  constructor(database: IdentityDatabase, keys: Keys) {
    this.#database = database;
    this.#table = new MemberTable(database);
    this.#keys = keys;
  }

  listUsers(): readonly ListedUser[] {
    const groups = Map.groupBy(this.#groups(), memberKey);
    return this.#table.members().map((row) => toUser(row, groups.get(memberKey(row)) ?? []));
  }

  getUser(user: UserNames): ListedUser {
    const row = this.#table.member(user);
    return toUser(
      row,
      this.#groups().filter((each) => memberKey(each) === memberKey(row)),
    );
  }

  addUser({ fullAccess, again, ...user }: NewUser): ListedKey {
    checkNames(user);
    return this.#database.change((at) => {
      this.#table.project(user);
      this.#checkNew(user, again);
      this.#table.ensureMember(user, at);
      this.#table.grant(this.#table.member(user), fullAccess);
      return this.#insertFirstKey(user, at);
    });
  }

  /**
   * Adds the user and its project unless they exist, and grants full access to the user. Only a new user gets an access
   * key.
   */
  ensureFirst(user: UserNames): void {
    this.#database.change((at) => {
      const isNew = this.#table.findMember(user) === undefined;
      this.#table.ensureProject(user, at);
      this.#table.ensureMember(user, at);
      this.#table.grant(this.#table.member(user), true);
      if (isNew) this.#insertFirstKey(user, at);
    });
  }

  removeUser(user: UserNames): void {
    this.#database.changeAccess((at) => this.#table.deleteMember(this.#table.member(user), at));
  }

  grantFullAccess(user: UserNames, fullAccess: boolean): void {
    this.#database.changeAccess(() => this.#table.grant(this.#table.member(user), fullAccess));
  }

  disableUser(user: UserNames, disabled: boolean): void {
    this.#database.changeAccess((at) =>
      this.#table.setDisabledAt(this.#table.member(user), disabled ? at : null),
    );
  }

  #checkNew(user: UserNames, again: boolean): void {
    const id = principalId(user);
    if (this.#table.findMember(user)) {
      throw new IdentityError(
        'Conflict',
        `cannot add user ${id}: it exists already`,
        `to add a key: holdfast admin keys add ${id}`,
      );
    }
    const retiredAt = this.#table.retiredAt(id);
    if (retiredAt !== undefined && !again) throw retiredName(id, retiredAt);
    if (this.#table.countMembers() < MAX_USERS) return;
    throw new IdentityError(
      'Conflict',
      `cannot add user ${id}: the limit of ${MAX_USERS} users is reached`,
    );
  }

  /**
   * Adds the first access key of a new user. If a removed user had the same name, a key may already have had the usual
   * ID of a first key. An ID is never used for two keys, so the new key then gets an ID with a random word.
   */
  #insertFirstKey(user: UserNames, at: number): ListedKey {
    const id = principalId(user);
    const isUsed = this.#table.retiredAt(id) !== undefined;
    return this.#keys.insert(user, isUsed ? furtherKeyId(user) : id, at);
  }

  #groups(): readonly InGroup[] {
    return this.#database.prepare<[], InGroup>(GROUPS).all();
  }
}

function memberKey(row: Pick<InGroup, 'project_id' | 'user_id'>): string {
  return `${row.project_id} ${row.user_id}`;
}

function toUser(row: MemberRow, groups: readonly InGroup[]): ListedUser {
  const { project, user, customer } = row;
  return {
    project,
    user,
    customer,
    fullAccess: row.full_access === 1,
    granted: row.granted === 1,
    groups: groups.map(({ name }) => name),
    disabled: row.disabled === 1,
    createdAt: row.created_at,
  };
}
