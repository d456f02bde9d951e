/**
 * Reads and writes the tables of clusters, node groups and updates. All methods must be called
 * inside a transaction of the engine.
 */

import type Database from 'better-sqlite3';

import type { ClusterRecord, NodegroupRecord, UpdateRecord } from '../rules/records.ts';

interface Named {
  readonly project: string;
  readonly name: string;
}

interface NamedGroup extends Named {
  readonly cluster: string;
}

/** Selects up to `limit` names after `after`, in byte order. */
export interface Slice {
  readonly after: string;
  readonly limit: number;
}

/**
 * Inserts the row or updates it in place. `INSERT OR REPLACE` would delete the row that node groups
 * reference.
 */
const UPSERT_CLUSTER = `
  INSERT INTO cluster VALUES (@project, @name, @record, @dueAt)
    ON CONFLICT (project, name) DO UPDATE SET record = excluded.record, due_at = excluded.due_at`;
const UPSERT_GROUP = `
  INSERT OR REPLACE INTO nodegroup VALUES (@project, @cluster, @name, @record, @dueAt)`;

export class ClusterTable {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  get({ project, name }: Named): ClusterRecord | undefined {
    const sql = 'SELECT record FROM cluster WHERE project = ? AND name = ?';
    return parse(this.#db.prepare(sql).pluck().get(project, name)) as ClusterRecord | undefined;
  }

  put(project: string, record: ClusterRecord): void {
    const { name } = record.cluster;
    this.#db.prepare(UPSERT_CLUSTER).run(row(record, { project, name }));
  }

  remove({ project, name }: Named): void {
    this.#db.prepare('DELETE FROM cluster WHERE project = ? AND name = ?').run(project, name);
  }

  names(project: string, { after, limit }: Slice): readonly string[] {
    const sql = 'SELECT name FROM cluster WHERE project = ? AND name > ? ORDER BY name LIMIT ?';
    return this.#db.prepare(sql).pluck().all(project, after, limit) as string[];
  }

  count(project: string): number {
    const sql = 'SELECT count(*) FROM cluster WHERE project = ?';
    return this.#db.prepare(sql).pluck().get(project) as number;
  }

  due(now: number): readonly (Named & { readonly record: ClusterRecord })[] {
    const rows = this.#db
      .prepare('SELECT project, name, record FROM cluster WHERE due_at <= ? ORDER BY due_at')
      .all(now) as (Named & { record: string })[];
    return rows.map(({ project, name, record }) => ({
      project,
      name,
      record: JSON.parse(record) as ClusterRecord,
    }));
  }
}

export class NodegroupTable {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  get({ project, cluster, name }: NamedGroup): NodegroupRecord | undefined {
    const sql = 'SELECT record FROM nodegroup WHERE project = ? AND cluster = ? AND name = ?';
    const text = this.#db.prepare(sql).pluck().get(project, cluster, name);
    return parse(text) as NodegroupRecord | undefined;
  }

  put(project: string, record: NodegroupRecord): void {
    const { clusterName: cluster, nodegroupName: name } = record.nodegroup;
    this.#db.prepare(UPSERT_GROUP).run({ ...row(record, { project, name }), cluster });
  }

  /** Deletes the node group and its updates. */
  remove({ project, cluster, name }: NamedGroup): void {
    const where = 'WHERE project = ? AND cluster = ?';
    this.#db
      .prepare(`DELETE FROM node_update ${where} AND nodegroup = ?`)
      .run(project, cluster, name);
    this.#db.prepare(`DELETE FROM nodegroup ${where} AND name = ?`).run(project, cluster, name);
  }

  names(project: string, cluster: string, { after, limit }: Slice): readonly string[] {
    const sql = `SELECT name FROM nodegroup WHERE project = ? AND cluster = ? AND name > ?
      ORDER BY name LIMIT ?`;
    return this.#db.prepare(sql).pluck().all(project, cluster, after, limit) as string[];
  }

  count(project: string, cluster: string): number {
    const sql = 'SELECT count(*) FROM nodegroup WHERE project = ? AND cluster = ?';
    return this.#db.prepare(sql).pluck().get(project, cluster) as number;
  }

  due(now: number): readonly (NamedGroup & { readonly record: NodegroupRecord })[] {
    const rows = this.#db
      .prepare(
        'SELECT project, cluster, name, record FROM nodegroup WHERE due_at <= ? ORDER BY due_at',
      )
      .all(now) as (NamedGroup & { record: string })[];
    return rows.map(({ record, ...names }) => {
      const parsed = JSON.parse(record) as NodegroupRecord;
      return Object.assign(names, { record: parsed });
    });
  }
}

export class UpdateTable {
  readonly #db: Database.Database;

  constructor(db: Database.Database) {
    this.#db = db;
  }

  get(project: string, id: string): UpdateRecord | undefined {
    const sql = 'SELECT record FROM node_update WHERE project = ? AND id = ?';
    return parse(this.#db.prepare(sql).pluck().get(project, id)) as UpdateRecord | undefined;
  }

  put(project: string, record: UpdateRecord): void {
    const { clusterName, nodegroupName, update } = record;
    this.#db
      .prepare(
        `INSERT INTO node_update (id, project, cluster, nodegroup, record) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET record = excluded.record`,
      )
      .run(update.id, project, clusterName, nodegroupName, JSON.stringify(record));
  }

  /**
   * Returns the updates whose sequence number is less than `before`, newest first. For the next
   * page, `before` is the sequence number of the last update of this page.
   */
  ids(
    { project, cluster, nodegroup }: { project: string; cluster: string; nodegroup: string },
    { before, limit }: { readonly before: number; readonly limit: number },
  ): readonly { readonly id: string; readonly sequence: number }[] {
    return this.#db
      .prepare(
        `SELECT id, sequence FROM node_update
          WHERE project = @project AND cluster = @cluster AND nodegroup = @nodegroup AND sequence < @before
          ORDER BY sequence DESC LIMIT @limit`,
      )
      .all({ project, cluster, nodegroup, before, limit }) as {
      id: string;
      sequence: number;
    }[];
  }
}

function row(record: ClusterRecord | NodegroupRecord, names: Named) {
  return { ...names, record: JSON.stringify(record), dueAt: record.work?.dueAt ?? null };
}

function parse(text: unknown): unknown {
  return typeof text === 'string' ? JSON.parse(text) : undefined;
}
