/**
 * Mutations of the state file, which contains the journal of unfinished requests and the changes
 * that are held for review.
 */

import { type Mutation, mutationsOf } from './mutation.ts';

const STATE = 'mirror/state';

export const STATE_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(`${STATE}/journal-table.ts`, [
    [
      'a journal row is durable before its request may be sent',
      'await this.#commits.durably(() => {',
      'await Promise.resolve().then(() => {',
    ],
    [
      'a journal row contains the version of another client that the request replaces',
      'row.supersedes ? JSON.stringify(row.supersedes) : null',
      'null',
    ],
    [
      'the outcome of a request ends the row that an earlier process wrote',
      'if (number === undefined) this.#drop.run(id);',
      'if (number === undefined) return;',
    ],
    [
      'unfinished requests are recovered in their order',
      'ORDER BY started_at',
      'ORDER BY started_at DESC',
    ],
  ]),
  ...mutationsOf(`${STATE}/commits.ts`, [
    [
      'a durable commit resolves after its sync',
      'await this.#sync(this.#log)',
      'void this.#sync(this.#log)',
    ],
    [
      'a durable commit is written before its sync starts',
      'this.withoutSync(work);\n    await this.#sync(this.#log);',
      'await this.#sync(this.#log);\n    this.withoutSync(work);',
    ],
    [
      'the outcomes of a transaction are stored together or not at all',
      'return this.#db.transaction(work)();\n    } finally',
      'return work();\n    } finally',
    ],
  ]),
  ...mutationsOf(`${STATE}/state-file.ts`, [
    [
      'a journal row ends with the outcome of its request',
      'if (journalId !== undefined) this.journal.end(journalId);',
      '',
    ],
    [
      'a journal row ends only in the transaction that stores the outcome of its request',
      'const count = this.#commits.withoutSync(() => {\n      for (const settlement of settlements) this.#endWork(settlement);',
      'for (const settlement of settlements) this.#endWork(settlement);\n    const count = this.#commits.withoutSync(() => {',
    ],
    [
      'a replaced version of another client is recorded with the outcome of the request',
      'if (replacedContent) this.conflicts.record({ ...replacedContent, key });',
      '',
    ],
    [
      'the decision about a held change does not apply to a later file of the same name',
      "if (baseline === 'drop') this.heldChanges.release(key);",
      '',
    ],
  ]),
  ...mutationsOf(`${STATE}/held-changes.ts`, [
    [
      'an approved delete is held again if the current version has other content',
      "WHERE change <> 'delete' OR etag IS NOT excluded.etag OR",
      "WHERE change <> 'delete' OR",
    ],
    [
      'an approved delete is held again if the current version is another one of the same content',
      ' OR version_id IS NOT excluded.version_id`',
      '`',
    ],
    [
      'a delete that is held again has no approval',
      "DO UPDATE SET change = 'delete', state = 'held', etag = excluded.etag,\n           version_id = excluded.version_id, approval = NULL,",
      "DO UPDATE SET change = 'delete', state = 'held', etag = excluded.etag,\n           version_id = excluded.version_id,",
    ],
    [
      'a held delete stays approved while the current version does not change',
      "WHERE change <> 'delete' OR etag IS NOT excluded.etag",
      'WHERE true OR etag IS NOT excluded.etag',
    ],
    [
      'an approved overwrite is held again if another client wrote a version',
      "state = iif(state = 'approved', 'held', state)",
      'state = state',
    ],
    [
      'the approval of an overwrite ends if another client wrote a version',
      'version_id = @versionId, approval = NULL,',
      'version_id = @versionId,',
    ],
    [
      'an approved overwrite is held again if another version has the same content',
      '(etag IS NOT @etag OR version_id IS NOT @versionId)',
      'etag IS NOT @etag',
    ],
    [
      'a rejected change is not approved',
      "approval = ? WHERE state = 'held'`",
      "approval = ? WHERE state <> 'approved'`",
    ],
    [
      'only overwrites and renames that are held can be rejected',
      "SET state = 'rejected' WHERE state = 'held' AND change <> 'delete'",
      "SET state = 'rejected' WHERE change <> 'delete'",
    ],
    [
      'rejecting the deletes does not release approved ones',
      "DELETE FROM held_changes WHERE state = 'held' AND change = 'delete'",
      "DELETE FROM held_changes WHERE change = 'delete'",
    ],
    [
      'the object under the old name stays after a rename was rejected',
      "WHERE state <> 'approved' AND moved_from",
      "WHERE state = 'held' AND moved_from",
    ],
    [
      'the object under the old name is released after a rename was approved',
      "WHERE state <> 'approved' AND moved_from",
      'WHERE moved_from',
    ],
    [
      'a table that contained a held change may not be empty',
      'this.#emptiness.end();\n    const change',
      'const change',
    ],
    [
      'the digest of the review covers the new content',
      'JSON.stringify([key, change, sha256, etag, version_id])',
      'JSON.stringify([key, change, etag, version_id])',
    ],
    [
      'the digest of the review covers the versions that are replaced',
      'JSON.stringify([key, change, sha256, etag, version_id])',
      'JSON.stringify([key, change, sha256])',
    ],
    [
      'the digest of the review covers each change',
      'hash.update(JSON.stringify([',
      'if (change !== "rename") hash.update(JSON.stringify([',
    ],
    [
      'the digest and the counts of the review are current',
      'if (last?.changes !== changes)',
      'if (last === undefined)',
    ],
  ]),
];
