/**
 * Runs commands in groups, with one transaction and one sync for each group. A refused command is rolled back and does
 * not affect the other commands. If the transaction fails, the commands are run one by one, so that one command cannot
 * make the others fail. A group ends early if policy evaluation has taken many steps. The caller must then run the
 * remaining commands in another group.
 */

import type { Database, Statement } from 'better-sqlite3';

import { errorCode, errorMessage, isDamagedDatabase } from '../../base/errors.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import type { Commands, CommandName, Envelope, PutOutcome } from './commands/commands.ts';
import type { GroupReply, Reply, WriterOptions } from './writer-messages.ts';
import {
  putBucketAcl,
  putBucketPolicy,
  putObjectAcl,
  putPublicAccessBlock,
} from './commands/access.ts';
import { putBucketConfig } from './commands/bucket-config.ts';
import { createBucket, deleteBucket, putVersioning } from './commands/buckets.ts';
import { copyObject } from './commands/copy-object.ts';
import { deleteObject } from './commands/delete-object.ts';
import { putLegalHold, putLockConfiguration, putRetention } from './commands/locks.ts';
import { runLifecycle } from './commands/lifecycle.ts';
import { abortUpload, completeUpload, createUpload, putPart } from './commands/multipart.ts';
import { putObject } from './commands/put-object.ts';
import { putObjects } from './commands/put-objects.ts';
import { putBucketQuota, putProjectQuota } from './commands/quotas.ts';
import { putObjectTags } from './commands/tags.ts';
import {
  endQuarantine,
  healVersion,
  quarantine,
  repairTables,
  saveScrub,
  saveTrustedTime,
} from './commands/upkeep.ts';
import type { PassPoint } from '../disk/faults.ts';
import { metadataDamaged } from '../disk/metadata-damage.ts';
import { splitObjects } from './commands/packed-objects.ts';
import { GROUP_STEPS, limitCommand, policySteps } from '../access/policy-meter.ts';
import {
  diskFull,
  isFull,
  type Refusal,
  refusalOf,
  reserveUsedUp,
  storeFailed,
} from '../disk/refusals.ts';
import type { Reserve } from './reserve.ts';
import { writeTables, type WriteTables } from './tables/write-tables.ts';

type Handlers = {
  readonly [Name in CommandName]: (
    tables: WriteTables,
    request: Commands[Name]['request'],
    context: Envelope,
  ) => Commands[Name]['result'];
};

const HANDLERS: Handlers = {
  createBucket,
  deleteBucket,
  putVersioning,
  putBucketConfig,
  putBucketQuota,
  putProjectQuota,
  putBucketAcl,
  putObjectAcl,
  putBucketPolicy,
  putPublicAccessBlock,
  putLockConfiguration,
  putRetention,
  putLegalHold,
  putObjectTags,
  putObject,
  putObjects,
  copyObject,
  deleteObject,
  createUpload,
  putPart,
  completeUpload,
  abortUpload,
  forgetGarbage: (tables, { files }) => {
    for (const file of files) tables.blobs.forgetGarbage(file);
  },
  quarantine,
  endQuarantine,
  healVersion,
  saveScrub,
  saveTrustedTime,
  runLifecycle,
  repairTables,
};

/**
 * The commands that perform all checks before their first write. They need no savepoint, which would take a tenth of
 * the time of a put.
 */
const CHECKS_FIRST: ReadonlySet<CommandName> = new Set(['putObject', 'putObjects']);

export class GroupCommit {
  readonly #database: Database;
  readonly #tables: WriteTables;
  readonly #passPoint: PassPoint;
  readonly #reserve: Reserve;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  readonly #savepoint: Statement;
  readonly #release: Statement;
  readonly #rollbackToSavepoint: Statement;
  #failure: Refusal | undefined;

  constructor(
    database: Database,
    {
      passPoint,
      reserve,
      ...settings
    }: Pick<WriterOptions, 'lifecycleDayMs' | 'quotas'> & {
      passPoint: PassPoint;
      reserve: Reserve;
    },
  ) {
    this.#database = database;
    this.#reserve = reserve;
    this.#tables = writeTables(database, settings);
    this.#passPoint = passPoint;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#rollback = database.prepare('ROLLBACK');
    this.#savepoint = database.prepare('SAVEPOINT command');
    this.#release = database.prepare('RELEASE command');
    this.#rollbackToSavepoint = database.prepare('ROLLBACK TO command');
  }

  /**
   * Runs the first commands of the group, at least one, and returns their replies. When it returns, their changes are
   * durable.
   */
  run(group: readonly Envelope[]): GroupReply {
    const garbage: string[] = [];
    const replies = this.#attempt(group, garbage) ?? this.#oneByOne(group, garbage);
    return { replies, garbage, failure: this.#failure };
  }

  #oneByOne(group: readonly Envelope[], garbage: string[]): readonly Reply[] {
    return withinSteps(group, (envelope) => [
      ...(this.#attempt([envelope], garbage) ?? this.#objectByObject(envelope, garbage)),
    ]);
  }

  /** Runs each object of a failed bulk write as a separate command, so that one object cannot make the others fail. */
  #objectByObject(envelope: Envelope, garbage: string[]): readonly Reply[] {
    if (!isDivisible(envelope)) return [];
    const parts = splitObjects(envelope);
    const replies = withinSteps(parts, (part) => this.#attempt([part], garbage) ?? []);
    return [{ id: envelope.id, result: replies.flatMap(outcomesOf) }];
  }

  /**
   * Runs commands in one transaction and returns their replies. Returns undefined if the transaction failed and the
   * group must be split.
   */
  #attempt(group: readonly Envelope[], garbage: string[]): readonly Reply[] | undefined {
    if (this.#failure !== undefined) return refuseAll(group, this.#failure);
    try {
      const replies = this.#transact(group);
      garbage.push(...this.#tables.blobs.garbage);
      return replies;
    } catch (error) {
      this.#undo();
      if (!(isFull(error) && this.#isOutOfLog(error)) && isDiskFailure(error)) {
        // Refuse all further writes. The state on the disk is now unknown, and a successful retry could hide the
        // failure.
        this.#failure = refusalOf(
          isDamagedDatabase(error) ? metadataDamaged() : storeFailed(errorMessage(error)),
        );
        return refuseAll(group, this.#failure);
      }
      const [first] = group;
      if (group.length > 1 || !first || isDivisible(first)) return undefined;
      // `finally` clears the garbage list after the retry has copied it.
      if (isFull(error) && this.#spendReserve(first.name)) return this.#attempt(group, garbage);
      return refuseAll(group, isFull(error) ? this.#full(first.name, error) : internalError(error));
    } finally {
      this.#tables.blobs.garbage.length = 0;
    }
  }

  #transact(group: readonly Envelope[]): readonly Reply[] {
    this.#begin.run();
    const replies = withinSteps(group, (envelope) => [this.#execute(envelope)]);
    const executed = group.slice(0, replies.length);
    this.#tables.sequence.save();
    this.#passPoint('before-commit', executed);
    this.#commit.run();
    this.#passPoint('after-commit', executed);
    return replies;
  }

  #execute(envelope: Envelope): Reply {
    if (CHECKS_FIRST.has(envelope.name)) return this.#reply(envelope);
    const { garbage } = this.#tables.blobs;
    const garbageBefore = garbage.length;
    this.#savepoint.run();
    const reply = this.#reply(envelope);
    if ('refusal' in reply) {
      this.#rollbackToSavepoint.run();
      garbage.length = garbageBefore;
    }
    this.#release.run();
    return reply;
  }

  #reply(envelope: Envelope): Reply {
    try {
      // Check the reserve again, because the command may have been queued while the disk still had space.
      if (this.#reserve.refuses(envelope.name)) throw diskFull();
      // Correct dates and retentions before any lock is checked, because locks depend on them.
      this.#tables.clockDoubts.settle(envelope);
      return { id: envelope.id, result: dispatch(this.#tables, envelope) };
    } catch (error) {
      if (!isStorageError(error)) throw error;
      return { id: envelope.id, refusal: refusalOf(error) };
    }
  }

  /**
   * Removes the failed commit from the write-ahead log, and returns whether it is removed. If the disk has no space for
   * the index of the log, the commit is already in the log, and recovery after a crash would apply it. Truncating the
   * log removes the commit.
   */
  #isOutOfLog(error: unknown): boolean {
    if (errorCode(error) !== 'SQLITE_IOERR_SHMSIZE') return true;
    return this.#emptiesLog() || (this.#spendReserve() && this.#emptiesLog());
  }

  #emptiesLog(): boolean {
    try {
      return this.#database.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0;
    } catch {
      return false;
    }
  }

  #full(name: CommandName, error: unknown): Refusal {
    return this.#reserve.isFor(name) ? reserveUsedUp(error) : diskFull(error);
  }

  /** Deletes the reserve file if the command may use its space. Returns whether a retry of the command can succeed. */
  #spendReserve(name?: CommandName): boolean {
    if (!this.#reserve.spend(name)) return false;
    this.#passPoint('after-reserve-spend');
    return true;
  }

  /** Rolls back the transaction, unless the error has already made SQLite roll it back. */
  #undo(): void {
    if (this.#database.inTransaction) this.#rollback.run();
    this.#tables.sequence.unsave();
    this.#tables.clockDoubts.reload();
  }
}

/** Runs commands until policy evaluation has taken the steps of a group. Returns the replies of these commands. */
function withinSteps(
  group: readonly Envelope[],
  run: (envelope: Envelope) => readonly Reply[],
): readonly Reply[] {
  const replies: Reply[] = [];
  const before = policySteps();
  for (const envelope of group) {
    replies.push(...limitCommand(() => run(envelope)));
    if (policySteps() - before >= GROUP_STEPS) break;
  }
  return replies;
}

function dispatch<Name extends CommandName>(
  tables: WriteTables,
  envelope: Envelope<Name>,
): unknown {
  return HANDLERS[envelope.name](tables, envelope.request, envelope);
}

/** Returns whether the command is a bulk write of several objects. */
function isDivisible(envelope: Envelope): envelope is Envelope<'putObjects'> {
  return 'objects' in envelope.request && envelope.request.objects.length > 1;
}

function outcomesOf(reply: Reply): readonly PutOutcome[] {
  return 'refusal' in reply ? [reply.refusal] : (reply.result as readonly PutOutcome[]);
}

function refuseAll(group: readonly Envelope[], error: Refusal): readonly Reply[] {
  const refusal = refusalOf(error);
  return group.map(({ id }) => ({ id, refusal }));
}

function internalError(error: unknown): Refusal {
  const message = `write to store: ${errorMessage(error)}`;
  return { code: 'InternalError', message, details: {} };
}

function isDiskFailure(error: unknown): boolean {
  return isDamagedDatabase(error) || /^SQLITE_(IOERR|READONLY)/.test(errorCode(error) ?? '');
}
