/** Adds quotas of individual projects and buckets, which override the default quotas. */

export const QUOTA_SCHEMA = `
-- NULL means that the quota in the configuration applies.
CREATE TABLE bucket_quota (
  bucket_id INTEGER PRIMARY KEY,
  bytes INTEGER,
  objects INTEGER
) STRICT;
CREATE TRIGGER quota_ends AFTER DELETE ON bucket BEGIN
  DELETE FROM bucket_quota WHERE bucket_id = OLD.bucket_id;
END;

CREATE TABLE project_quota (
  customer TEXT NOT NULL,
  project TEXT NOT NULL,
  buckets INTEGER NOT NULL,
  PRIMARY KEY (customer, project)
) STRICT, WITHOUT ROWID;
`;
