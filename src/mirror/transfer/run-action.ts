/**
 * Runs an action until its key needs no further step. Prepares a step, records its request in the journal, sends it,
 * and settles its outcome. Steps for different keys share the transactions for journal rows and outcomes.
 */

import type { Action } from '../plan/action.ts';
import { pathOfKey } from '../model/local-path.ts';
import type { JournalRow } from '../state/journal-table.ts';
import { confirmLock } from './lock-new-version.ts';
import { prepareDelete } from './delete-file.ts';
import { prepareDownload } from './download.ts';
import { downloadBeside } from './download-beside.ts';
import { grouped } from './grouped.ts';
import { examineAgain, proveStep } from './prove-outcome.ts';
import { examine, resolveSent } from './replan.ts';
import { prepareCopy } from './restore-head.ts';
import { lockForeign } from './retain-foreign.ts';
import { saveHead } from './save-copy.ts';
import { attempt, changingProblem, examineHead } from './step-failure.ts';
import {
  DONE,
  type PerformContext,
  pickVersion,
  type Prepared,
  type Step,
  type Work,
} from './step-types.ts';
import { preparePut } from './upload-file.ts';

/**
 * Maximum number of times that a key is examined. If its current version is different each time, another client keeps
 * writing to it.
 */
const EXAMINE_LIMIT = 8;
/** Maximum number of journal rows or outcomes that share a transaction while many actions are running. */
const MAX_GROUP = 32;

export class ActionRunner {
  readonly #context: PerformContext;
  /**
   * Journal rows of requests whose outcome is unknown and that no task handles, by key. Without its journal row, a
   * version that such a request created would count as another client's.
   */
  readonly #unresolved = new Map<string, JournalRow>();
  readonly #begin: (row: JournalRow) => Promise<void>;
  readonly #settle: (step: Step) => Promise<void>;
  #running = 0;

  constructor(context: PerformContext) {
    this.#context = context;
    const wanted = () => Math.min(MAX_GROUP, this.#running >> 2);
    const { clock, state } = context;
    this.#begin = grouped({ clock, wanted, handle: (rows) => state.journal.begin(rows) });
    this.#settle = grouped({ clock, wanted, handle: (steps) => settle(steps, context) });
  }

  /**
   * Resolves when nothing more can be done for the action's key now, even if a problem remains that the job retries later. Rejects with
   * errors that end the session.
   */
  async run(action: Action): Promise<void> {
    this.#running++;
    try {
      await this.#run(action);
    } finally {
      this.#running--;
    }
  }

  async #run(action: Action): Promise<void> {
    const sent = this.#unresolved.get(action.key);
    if (!sent) return this.#runSteps([{ action, attempts: 0 }]);
    this.#unresolved.delete(action.key);
    await this.#runSteps([{ action: examineHead(action), attempts: 0, sent }]);
    // The request may have changed the current version, so the key is planned again.
    if (this.#unresolved.has(action.key)) return;
    await this.#runSteps([{ action: examineHead(action), attempts: 0 }]);
  }

  async #runSteps(first: readonly Work[]): Promise<void> {
    let works = first;
    for (let examinations = 0; works.length > 0;) {
      // Only examinations can repeat without limit, so only they are counted.
      if (works.some(({ action }) => action.kind === 'examine')) examinations++;
      if (examinations > EXAMINE_LIMIT) return this.#giveUp(works);
      const following: Work[] = [];
      for (const work of works)
        for (const next of followingWorks(await this.#runStep(work))) following.push(next);
      works = following;
    }
  }

  async #runStep(work: Work): Promise<Step> {
    const prepared = await prepare(work, this.#context);
    const isRequest = prepared.is === 'request';
    // The journal row must be durable before the request is sent.
    if (isRequest) await this.#begin(prepared.row);
    const row = isRequest ? prepared.row : work.sent;
    const step = await this.#prove(isRequest ? await prepared.send() : prepared, row);
    await this.#settle(step);
    if (row && !isHandled(row, step)) this.#unresolved.set(row.key, row);
    return step;
  }

  /**
   * Checks a step's outcome if the service ignores conditions. If the check fails, the response counts as lost, and the
   * versions are read again.
   */
  async #prove(step: Step, row: JournalRow | undefined): Promise<Step> {
    const context = this.#context;
    const isEnded = row && row.id === step.settlement?.journalId;
    if (!isEnded || context.guards.guarding !== 'proof') return step;
    const again = { ...examineAgain(row), sent: row };
    return attempt(again, context, () => proveStep(step, row, context));
  }

  #giveUp(works: readonly Work[]): void {
    const { tracker, retries } = this.#context;
    for (const { action, sent } of works) {
      if (sent) this.#unresolved.set(sent.key, sent);
      const path = pathOfKey(action.key);
      tracker.setProblem(changingProblem(path));
      retries.schedule(path, 'refused');
    }
  }
}

/** Prepares one step: the journal row for its request, and a function that sends the request with its condition. */
async function prepare(work: Work, context: PerformContext): Promise<Prepared> {
  const { action } = work;
  return attempt(work, context, async (): Promise<Prepared> => {
    if (work.sent) return resolveSent(work, work.sent, context);
    switch (action.kind) {
      case 'put':
        return preparePut(work, action, context);
      case 'copy-version-to-head':
        return prepareCopy(work, action, context);
      case 'save-head':
        return saveHead(work, action, context);
      case 'lock-foreign':
        return lockForeign(work, action, context);
      case 'download':
        return prepareDownload(work, action, context);
      case 'download-beside':
        return downloadBeside(work, action, context);
      case 'delete':
        return prepareDelete(work, action, context);
      case 'confirm-lock':
        return confirmLock(work, action, context);
      case 'adopt': {
        const { key, entry, sha256, head } = action;
        const baseline = { ...entry, sha256, ...pickVersion(head) };
        return { is: 'settled', settlement: { key, baseline } };
      }
      case 'drop-baseline':
        return { is: 'settled', settlement: { key: action.key, baseline: 'drop' } };
      case 'examine':
        return examine(work, action, context);
      default:
        return DONE;
    }
  });
}

function followingWorks(step: Step): readonly Work[] {
  return step.is === 'again' ? step.works : [];
}

/** Returns whether a step ended its journal row or passed it on to a further step. */
function isHandled({ id }: JournalRow, step: Step): boolean {
  return (
    step.settlement?.journalId === id || followingWorks(step).some(({ sent }) => sent?.id === id)
  );
}

/** Records the outcomes of steps in one transaction. */
function settle(steps: readonly Step[], context: PerformContext): void {
  context.state.settle(steps.flatMap(({ settlement }) => settlement ?? []));
  // All steps share one transaction, because each released hold would otherwise need its own commit.
  context.state.together(() => {
    for (const step of steps) recordOutcome(step, context);
  });
}

/**
 * Records a step's problem. If a key's baseline row was written, clears the key's problems, holds and retries instead.
 */
function recordOutcome(step: Step, context: PerformContext): void {
  const { state, tracker, reads, retries, deferrals } = context;
  const { settlement } = step;
  if (step.is === 'settled' && step.problem) {
    tracker.setProblem(step.problem);
    retries.schedule(step.problem.path, 'refused');
  } else if (settlement && settlement.baseline !== 'keep') {
    const path = pathOfKey(settlement.key);
    tracker.clearProblem(path);
    tracker.clearHeld(settlement.key);
    state.held.release(settlement.key);
    state.heldChanges.release(settlement.key);
    state.forgotten.drop(settlement);
    if (settlement.journalId !== undefined && settlement.baseline !== 'drop')
      deferrals.made(settlement.key);
    else deferrals.forget(settlement.key);
    tracker.setDrifted(settlement.key, false);
    tracker.foreign.delete(settlement.key);
    retries.forget(path);
    if (settlement.baseline === 'drop') reads.forget(path);
  }
  if (step.activity) tracker.say(step.activity);
}
