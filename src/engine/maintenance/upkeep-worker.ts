/** Answers one question that takes a look at whole tables, on a thread and a connection of its own. */

import { parentPort, workerData } from 'node:worker_threads';

import { invariant } from '../../base/errors.ts';
import { connectReader } from '../schema/schema.ts';
import { checkMetadata, firstDamagedPage } from '../integrity/check-metadata.ts';
import { damagedBelow, equalVersions, versionsOf } from '../integrity/damaged-versions.ts';
import type { Question, UpkeepMessage } from './upkeep-thread.ts';

function answer({ metadata, ...question }: Question): void {
  invariant(parentPort, 'answer question: this runs as a worker thread only');
  const port = parentPort;
  const tell = (message: UpkeepMessage) => port.postMessage(message);
  const database = connectReader(metadata);
  try {
    if (question.ask === 'check') {
      tell({ answer: checkMetadata(database, (step) => tell({ step })) });
    } else if (question.ask === 'damaged') {
      tell({ answer: damagedBelow(database, question) });
    } else if (question.ask === 'equal') {
      tell({ answer: equalVersions(database) });
    } else if (question.ask === 'pages') {
      tell({ answer: firstDamagedPage(database) });
    } else {
      tell({ answer: versionsOf(database, question.blobId) });
    }
  } finally {
    database.close();
  }
}

answer(workerData as Question);
