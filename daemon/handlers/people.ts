/** What the control methods on users, projects, groups and keys work with. */

import { defined } from '../../src/base/defined.ts';
import type { UserNames } from '../../src/base/principal.ts';
import type { MethodName, Params, Result } from '../../src/control/messages.ts';
import type { SqliteIdentity } from '../../src/identity/sqlite-identity.ts';

export type Handlers<M extends MethodName> = {
  readonly [Name in M]: (params: Params<Name>) => Promise<Result<Name>>;
};

export interface PeopleOptions {
  readonly identity: Omit<SqliteIdentity, 'close' | 'ensureFirstUser'>;
  /** The user that jobs and the command line act for, and whom a request means that names nobody. */
  readonly own: UserNames;
  /** Names of the buckets that a user owns. */
  readonly bucketsOf: (user: UserNames) => Promise<readonly string[]>;
  readonly service: () => Promise<ServedAt>;
}

/** Where the store is served, if it is. */
export interface ServedAt {
  readonly region: string;
  readonly endpointUrl?: string;
  readonly tlsEndpointUrl?: string;
}

export interface People extends PeopleOptions {
  /** What a request leaves out is that of the daemon's own user. */
  readonly named: <T extends NamedByRequest>(names: T) => T & UserNames;
}

type NamedByRequest = { readonly [Name in keyof UserNames]?: string | undefined };

export function people(options: PeopleOptions): People {
  const { user, project, customer } = options.own;
  return {
    ...options,
    named: (names) => ({ ...names, user, project, customer, ...defined(names) }),
  };
}
