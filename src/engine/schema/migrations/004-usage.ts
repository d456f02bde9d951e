/** Adds counters of the objects in each bucket, which triggers update. */

export const USAGE_SCHEMA = `
-- One row for each bucket with the number and the total size of its versions that are objects, current or noncurrent.
-- Delete markers and the parts of open uploads do not count. Triggers update the row, so that no statement can change
-- versions without it. When a repair creates a lost bucket again, a trigger counts its versions.
CREATE TABLE bucket_usage (
  bucket_id INTEGER PRIMARY KEY,
  objects INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL
) STRICT;

INSERT INTO bucket_usage (bucket_id, objects, size_bytes)
  SELECT bucket.bucket_id, count(version.key), ifnull(sum(version.size_bytes), 0)
  FROM bucket LEFT JOIN version
    ON version.bucket_id = bucket.bucket_id AND version.is_delete_marker = 0
  GROUP BY bucket.bucket_id;

CREATE TRIGGER usage_begins AFTER INSERT ON bucket BEGIN
  INSERT INTO bucket_usage (bucket_id, objects, size_bytes)
    SELECT NEW.bucket_id, count(*), ifnull(sum(size_bytes), 0) FROM version
    WHERE bucket_id = NEW.bucket_id AND is_delete_marker = 0;
END;
CREATE TRIGGER usage_ends AFTER DELETE ON bucket BEGIN
  DELETE FROM bucket_usage WHERE bucket_id = OLD.bucket_id;
END;
CREATE TRIGGER usage_grows AFTER INSERT ON version WHEN NEW.is_delete_marker = 0 BEGIN
  UPDATE bucket_usage SET objects = objects + 1, size_bytes = size_bytes + NEW.size_bytes
  WHERE bucket_id = NEW.bucket_id;
END;
CREATE TRIGGER usage_shrinks AFTER DELETE ON version WHEN OLD.is_delete_marker = 0 BEGIN
  UPDATE bucket_usage SET objects = objects - 1, size_bytes = size_bytes - OLD.size_bytes
  WHERE bucket_id = OLD.bucket_id;
END;
`;
