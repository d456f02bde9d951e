/**
 * Runs one query that scans whole tables, on a separate thread and with its own database
 * connection.
 */

import { parentPort, workerData } from 'node:worker_threads';

import { invariant } from '../../base/errors.ts';
import { connectReader } from '../schema/schema.ts';
import { checkMetadata, firstDamagedPage } from '../integrity/check-metadata.ts';
import { damagedBelow, equalVersions, versionsOf } from '../integrity/damaged-versions.ts';
import type { Question, UpkeepMessage } from './upkeep-thread.ts';

function answer({ metadata, ...question }: Question): void {
  invariant(parentPort, 'run query: the module must run as a worker thread');
  const port = parentPort;
  const post = (message: UpkeepMessage) => port.postMessage(message);
  const database = connectReader(metadata);
  try {
    if (question.ask === 'check') {
      post({ answer: checkMetadata(database, (step) => post({ step })) });
    } else if (question.ask === 'damaged') {
      post({ answer: damagedBelow(database, question) });
    } else if (question.ask === 'equal') {
      post({ answer: equalVersions(database) });
    } else if (question.ask === 'pages') {
      post({ answer: firstDamagedPage(database) });
    } else {
      post({ answer: versionsOf(database, question.blobId) });
    }
  } finally {
    database.close();
  }
}

answer(workerData as Question);
