/**
 * Implements `BulkWriter` for one caller. Prepares each small object as `putObject` would, and writes all objects with
 * one command. If the command ends early, a further command writes the remaining objects.
 */

import { invariant } from '../../base/errors.ts';
import {
  type BulkLimits,
  type BulkWriter,
  checkBulkLimits,
  type ObjectToPut,
  type PutObjectsRequest,
  type PutOutcome,
} from '../../object-store/bulk-write.ts';
import type { CallOptions } from '../../object-store/object-store.ts';
import { isStorageError, StorageError } from '../../object-store/storage-error.ts';
import { inline } from '../blobs/incoming-body.ts';
import { PLAIN_SEGMENT_BYTES } from '../encryption/sealed-bytes.ts';
import { withEncryption } from '../encryption/sealing.ts';
import { withExpiration } from '../reads/read-lifecycle.ts';
import { MAX_GROUP_COMMANDS } from '../writes/command-queue.ts';
import type { PutOutcome as WrittenOutcome } from '../writes/commands/commands.ts';
import { packed, type SmallPut } from '../writes/commands/packed-objects.ts';
import type { CallerContext } from './caller-context.ts';
import { newObject } from './new-object.ts';

const LIMITS: BulkLimits = {
  // With this limit, the transaction of a bulk write takes no longer than the largest group of other commands.
  objects: MAX_GROUP_COMMANDS,
  // Hashing and writing this many bytes takes about 50 ms, during which other commands wait. The value is an eighth of
  // `MAX_WAITING_BYTES`.
  bytes: 8 * 1024 ** 2,
  // The largest body that can be stored in the database even if it is encrypted.
  bytesPerObject: PLAIN_SEGMENT_BYTES,
};

interface Prepared {
  readonly index: number;
  readonly object: ObjectToPut;
  readonly put: SmallPut;
}

export class EngineBulkWriter implements BulkWriter {
  readonly limits = LIMITS;
  readonly #context: CallerContext;

  constructor(context: CallerContext) {
    this.#context = context;
  }

  async putObjects(
    { bucket, objects }: PutObjectsRequest,
    { signal }: CallOptions = {},
  ): Promise<readonly PutOutcome[]> {
    signal?.throwIfAborted();
    checkBulkLimits(objects, LIMITS);
    const outcomes: PutOutcome[] = [];
    let rest: readonly Prepared[] = this.#prepare(bucket, objects, outcomes);
    while (rest.length > 0) {
      const written = await this.#write(bucket, rest);
      invariant(written.length > 0, 'put objects: the writer returned no result');
      for (const [at, outcome] of written.entries()) {
        const each = rest[at];
        if (each) outcomes[each.index] = this.#outcomeOf(bucket, each.object, outcome);
      }
      rest = rest.slice(written.length);
    }
    return outcomes;
  }

  /**
   * Returns the objects to send to the writer thread. If an object is refused before that, its outcome is the error,
   * and the object is not returned.
   */
  #prepare(
    bucket: string,
    objects: readonly ObjectToPut[],
    outcomes: PutOutcome[],
  ): readonly Prepared[] {
    const prepared: Prepared[] = [];
    for (const [index, object] of objects.entries()) {
      try {
        prepared.push({ index, object, put: this.#smallPut(bucket, object) });
      } catch (error) {
        outcomes[index] = refusalIn(error);
      }
    }
    return prepared;
  }

  #smallPut(bucket: string, object: ObjectToPut): SmallPut {
    const { described, seal } = newObject(this.#context, { ...object, bucket });
    const beforeFile = () => {
      const { refusal } = this.#context.parts.writer;
      if (refusal) throw refusal;
      this.#context.allowWrite(bucket, object);
      return undefined;
    };
    return { ...described, content: inline(object, object.bytes, { seal, beforeFile }) };
  }

  /**
   * Runs one command. Returns the outcomes of the objects that the command has written, which is at least the first
   * object. If the command fails, its error is the outcome of every object.
   */
  async #write(bucket: string, objects: readonly Prepared[]): Promise<readonly WrittenOutcome[]> {
    const puts = objects.map(({ put }) => put);
    try {
      return await this.#context.run('putObjects', packed(bucket, puts));
    } catch (error) {
      const refusal = refusalIn(error);
      return objects.map(() => refusal);
    }
  }

  #outcomeOf(
    bucket: string,
    { key, customerKey }: ObjectToPut,
    outcome: WrittenOutcome,
  ): PutOutcome {
    if (!('code' in outcome)) {
      const { reader } = this.#context.parts;
      return withExpiration(reader, { bucket, key }, withEncryption(outcome, customerKey));
    }
    const { code, message, details } = outcome;
    return isStorageError(outcome) ? outcome : new StorageError(code, message, { details });
  }
}

/** Returns the error if it is a `StorageError`. Throws any other error. */
function refusalIn(error: unknown): StorageError {
  if (isStorageError(error)) return error;
  throw error;
}
