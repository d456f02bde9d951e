/** Defines the dependencies that the control methods for users, projects, groups and keys share. */

import { defined } from '../../../src/base/defined.ts';
import type { UserNames } from '../../../src/base/principal.ts';
import type { MethodName, Params, Result } from '../../../src/control/messages.ts';
import type { SqliteIdentity } from '../../../src/identity/sqlite-identity.ts';

export type Handlers<M extends MethodName> = {
  readonly [Name in M]: (params: Params<Name>) => Promise<Result<Name>>;
};

export interface PeopleOptions {
  readonly identity: Omit<SqliteIdentity, 'close' | 'ensureFirstUser'>;
  /** The user that jobs and the command line act for. A request without names refers to this user. */
  readonly own: UserNames;
  /** Returns the names of the buckets that a user owns. */
  readonly bucketsOf: (user: UserNames) => Promise<readonly string[]>;
  readonly service: () => Promise<ServedAt>;
}

/** The URLs of the store. Absent if the store is not being served. */
export interface ServedAt {
  readonly region: string;
  readonly endpointUrl?: string;
  readonly tlsEndpointUrl?: string;
}

export interface People extends PeopleOptions {
  /** Completes a request: names that it omits become the names of the daemon's own user. */
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
