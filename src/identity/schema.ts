/**
 * Defines the tables of identity.sqlite. A customer has projects and users. A project has groups. A user has separate
 * access keys for each project.
 */

/**
 * The migrations of the identity database. `PRAGMA user_version` is the number of migrations that were applied to a
 * file. A released migration is never changed.
 */
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

  -- The users of a project. Full access is the privilege that object locks require.
  CREATE TABLE membership (
    project_id INTEGER NOT NULL REFERENCES project,
    user_id INTEGER NOT NULL REFERENCES user,
    full_access INTEGER NOT NULL CHECK (full_access IN (0, 1)),
    PRIMARY KEY (project_id, user_id)
  ) STRICT, WITHOUT ROWID;

  -- The secret is stored as plain text, because verifying a signature needs it. Only the owner can read the file.
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
  -- When the key expires; NULL if it is valid until it is removed.
  ALTER TABLE access_key ADD COLUMN expires_at INTEGER;
  `,
  `
  -- When the user was disabled. While this is set, none of the user's keys is valid.
  ALTER TABLE user ADD COLUMN disabled_at INTEGER;

  ALTER TABLE project ADD COLUMN email TEXT COLLATE NOCASE CHECK (length(email) BETWEEN 3 AND 254);
  CREATE UNIQUE INDEX project_email ON project (email);

  CREATE TABLE user_group (
    group_id INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES project,
    name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    full_access INTEGER NOT NULL CHECK (full_access IN (0, 1)),
    UNIQUE (project_id, name),
    UNIQUE (project_id, group_id)
  ) STRICT;

  -- The foreign keys ensure that the group and the user belong to the same project.
  CREATE TABLE group_member (
    project_id INTEGER NOT NULL,
    group_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    PRIMARY KEY (project_id, group_id, user_id),
    FOREIGN KEY (project_id, group_id) REFERENCES user_group (project_id, group_id) ON DELETE CASCADE,
    FOREIGN KEY (project_id, user_id) REFERENCES membership (project_id, user_id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;

  -- The IDs of removed users and projects, to which ACLs and policies may still grant permissions.
  CREATE TABLE retired (
    id TEXT PRIMARY KEY,
    retired_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE VIEW member AS
    SELECT m.project_id, m.user_id, p.name AS project, u.name AS user, c.name AS customer,
      m.full_access AS granted, u.disabled_at IS NOT NULL AS disabled, u.created_at,
      m.full_access OR EXISTS (
        SELECT 1 FROM group_member g JOIN user_group USING (project_id, group_id)
        WHERE g.project_id = m.project_id AND g.user_id = m.user_id AND user_group.full_access
      ) AS full_access
    FROM membership m
    JOIN project p USING (project_id)
    JOIN user u USING (user_id)
    JOIN customer c ON c.customer_id = u.customer_id;
  `,
];

/** The newest format that this release of Holdfast can read, and the format that it writes. */
export const IDENTITY_FORMAT = MIGRATIONS.length;
