/** Adds counters for bucket metrics: delete markers, and the parts of open uploads. */

export const METRICS_SCHEMA = `
-- objects and size_bytes still count only versions that are objects, because quotas and HEAD requests of buckets use
-- them.
ALTER TABLE bucket_usage ADD COLUMN delete_markers INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bucket_usage ADD COLUMN parts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bucket_usage ADD COLUMN part_bytes INTEGER NOT NULL DEFAULT 0;
DROP TRIGGER usage_begins;
DROP TRIGGER usage_grows;
DROP TRIGGER usage_shrinks;

UPDATE bucket_usage SET
  delete_markers = (SELECT count(*) FROM version
    WHERE version.bucket_id = bucket_usage.bucket_id AND is_delete_marker = 1),
  parts = (SELECT count(*) FROM upload JOIN upload_part ON upload_sequence = sequence
    WHERE upload.bucket_id = bucket_usage.bucket_id),
  part_bytes = (SELECT ifnull(sum(size_bytes), 0) FROM upload JOIN upload_part ON upload_sequence = sequence
    WHERE upload.bucket_id = bucket_usage.bucket_id);

-- When a repair creates a lost bucket again, this trigger counts its versions and parts.
CREATE TRIGGER usage_begins AFTER INSERT ON bucket BEGIN
  INSERT INTO bucket_usage (bucket_id, objects, size_bytes, delete_markers, parts, part_bytes)
    SELECT NEW.bucket_id, ifnull(sum(is_delete_marker = 0), 0), ifnull(sum(size_bytes), 0),
      ifnull(sum(is_delete_marker), 0),
      (SELECT count(*) FROM upload JOIN upload_part ON upload_sequence = sequence
        WHERE upload.bucket_id = NEW.bucket_id),
      (SELECT ifnull(sum(size_bytes), 0) FROM upload JOIN upload_part ON upload_sequence = sequence
        WHERE upload.bucket_id = NEW.bucket_id)
    FROM version WHERE bucket_id = NEW.bucket_id;
END;
CREATE TRIGGER usage_grows AFTER INSERT ON version BEGIN
  UPDATE bucket_usage SET objects = objects + 1 - NEW.is_delete_marker,
    delete_markers = delete_markers + NEW.is_delete_marker, size_bytes = size_bytes + NEW.size_bytes
  WHERE bucket_id = NEW.bucket_id;
END;
CREATE TRIGGER usage_shrinks AFTER DELETE ON version BEGIN
  UPDATE bucket_usage SET objects = objects - 1 + OLD.is_delete_marker,
    delete_markers = delete_markers - OLD.is_delete_marker, size_bytes = size_bytes - OLD.size_bytes
  WHERE bucket_id = OLD.bucket_id;
END;

-- A part counts as long as its upload exists. If an upload is deleted before its parts, the remaining parts stop
-- counting at once.
CREATE TRIGGER part_usage_grows AFTER INSERT ON upload_part BEGIN
  UPDATE bucket_usage SET parts = parts + 1, part_bytes = part_bytes + NEW.size_bytes
  WHERE bucket_id = (SELECT bucket_id FROM upload WHERE sequence = NEW.upload_sequence);
END;
CREATE TRIGGER part_usage_changes AFTER UPDATE OF size_bytes ON upload_part BEGIN
  UPDATE bucket_usage SET part_bytes = part_bytes + NEW.size_bytes - OLD.size_bytes
  WHERE bucket_id = (SELECT bucket_id FROM upload WHERE sequence = NEW.upload_sequence);
END;
CREATE TRIGGER part_usage_shrinks AFTER DELETE ON upload_part BEGIN
  UPDATE bucket_usage SET parts = parts - 1, part_bytes = part_bytes - OLD.size_bytes
  WHERE bucket_id = (SELECT bucket_id FROM upload WHERE sequence = OLD.upload_sequence);
END;
CREATE TRIGGER upload_usage_ends AFTER DELETE ON upload BEGIN
  UPDATE bucket_usage SET
    parts = parts - (SELECT count(*) FROM upload_part WHERE upload_sequence = OLD.sequence),
    part_bytes = part_bytes
      - (SELECT ifnull(sum(size_bytes), 0) FROM upload_part WHERE upload_sequence = OLD.sequence)
  WHERE bucket_id = OLD.bucket_id;
END;
`;
