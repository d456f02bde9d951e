/** The tables of identity.sqlite: a customer has projects and users; a user of a project has access keys. */

/** `PRAGMA user_version` is how many of them a file has had. A released one never changes. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE customer (
    customer_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE project (
    project_id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customer,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    created_at INTEGER NOT NULL,
    UNIQUE (customer_id, name)
  ) STRICT;

  CREATE TABLE user (
    user_id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customer,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    created_at INTEGER NOT NULL,
    UNIQUE (customer_id, name)
  ) STRICT;

  -- What a user may do in a project; full access is the privilege that locks ask for.
  CREATE TABLE membership (
    project_id INTEGER NOT NULL REFERENCES project,
    user_id INTEGER NOT NULL REFERENCES user,
    full_access INTEGER NOT NULL CHECK (full_access IN (0, 1)),
    PRIMARY KEY (project_id, user_id)
  ) STRICT, WITHOUT ROWID;

  -- The secret is kept as it is: verifying a signature needs it. The file is readable by its owner alone.
  CREATE TABLE access_key (
    access_key_id TEXT PRIMARY KEY,
    project_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    secret TEXT NOT NULL CHECK (length(secret) >= 40),
    created_at INTEGER NOT NULL,
    FOREIGN KEY (project_id, user_id) REFERENCES membership
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- From then on it is no key any more; NULL: until it is removed.
  ALTER TABLE access_key ADD COLUMN expires_at INTEGER;
  `,
];
