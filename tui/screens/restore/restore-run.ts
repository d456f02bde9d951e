/**
 * Runs restores one after the other. A restore continues in the daemon if the dashboard exits. After a lost connection,
 * the dashboard finds the restore again by its id.
 */

import { randomUUID } from 'node:crypto';

import { defined } from '../../../src/base/defined.ts';
import { errorMessage, isAbort } from '../../../src/base/errors.ts';
import { isControlError } from '../../../src/control/control-error.ts';
import type { DaemonEvent, Params, Result } from '../../../src/control/messages.ts';
import type { Ui } from '../../ui/ui.ts';
import { countText, percentText } from '../../../src/text/amounts.ts';
import { timeText } from '../../../src/text/time.ts';

export type RestoreRequest = Params<'restore.plan'>;

export type RunStep =
  | { readonly method: 'restore.run'; readonly asked: RestoreRequest }
  | { readonly method: 'history.undo'; readonly asked: Params<'history.planUndo'> };

export type RunResult = Result<'restore.run'> & { readonly copied?: number };
type ProgressEvent = Extract<DaemonEvent['event'], { type: 'restore.progress' }>;
export type RunProgress = Omit<ProgressEvent, 'type' | 'id'>;

export type RunState = 'running' | 'lost' | 'done' | 'stopped' | 'failed';

export class RestoreRun {
  readonly #ui: Ui;
  readonly #steps: readonly RunStep[];
  readonly results: RunResult[] = [];
  #state: RunState = 'running';
  #failure: string | undefined;
  #id: string;
  #progress: RunProgress | undefined;
  #isStopped = false;

  constructor(ui: Ui, steps: readonly RunStep[], id: string = randomUUID()) {
    this.#ui = ui;
    this.#steps = steps;
    this.#id = id;
  }

  get state(): RunState {
    return this.#state;
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  get progress(): RunProgress | undefined {
    return this.#progress;
  }

  /** The number of restores. It is 1 for a restore of which only the id is known. */
  get count(): number {
    return Math.max(1, this.#steps.length);
  }

  /** What is restored, such as `photos, as of 2026-11-20 12:00:00`. Undefined if only the id is known. */
  get what(): string | undefined {
    const [first] = this.#steps;
    if (!first) return undefined;
    const { job, object, path, at } = first.asked;
    const others = this.count > 1 ? ` and ${countText(this.count - 1, 'other path')}` : '';
    const name = path ?? job ?? (object ? `${object.bucket}/${object.key}` : '');
    return `${name}${others}, ${at === undefined ? 'as it is now' : `as of ${timeText(at)}`}`;
  }

  /** Whether the user can repeat the restore. */
  get canRepeat(): boolean {
    return this.#steps.length > 0 && this.#state !== 'running' && this.#state !== 'lost';
  }

  /** Repeats the restore. Existing files with the same content are not downloaded again. */
  again(): RestoreRun {
    return new RestoreRun(this.#ui, this.#steps);
  }

  start(): void {
    void this.#follow(() => this.#runAll());
  }

  /** Waits for a restore that already runs in the daemon. */
  find(): void {
    void this.#follow(async () => void this.results.push(await this.#wait()));
  }

  /** Stops the restore. Files that were already restored remain. */
  async stop(): Promise<void> {
    // The flag is set before the daemon responds, because the restore may end before the response.
    this.#isStopped = true;
    try {
      await this.#ui.call('restores.stop', { id: this.#id });
    } catch (error) {
      this.#isStopped = false;
      throw error;
    }
  }

  async #follow(work: () => Promise<void>): Promise<void> {
    const { changes, link } = this.#ui;
    try {
      await this.#ui.work('restoring', async (shown) => {
        shown.left = this.count > 1 ? LEFT_FIRST : LEFT;
        shown.abort.signal.addEventListener(
          'abort',
          () => void this.#ui.attempt(() => this.stop()),
        );
        const stop = link.listen(['restore.progress'], (event) => {
          this.#heard(event);
          shown.progress = shareText(this.#progress);
          changes.soon();
        });
        try {
          await work();
        } finally {
          stop();
        }
      });
      this.#state = this.#isStopped ? 'stopped' : 'done';
    } catch (error) {
      this.#state = this.#isStopped || isAbort(error) ? 'stopped' : 'failed';
      this.#failure = this.#state === 'failed' ? errorMessage(error) : undefined;
    }
    changes.now();
    this.#changed();
  }

  #heard({ event }: DaemonEvent): void {
    if (event.type !== 'restore.progress' || event.id !== this.#id) return;
    const { type: _type, id: _id, ...progress } = event;
    this.#progress = progress;
  }

  async #runAll(): Promise<void> {
    for (const step of this.#steps) {
      if (this.#isStopped) return;
      if (this.results.length > 0) this.#id = randomUUID();
      this.#progress = undefined;
      this.results.push(await this.#runOne(step));
    }
  }

  async #runOne(step: RunStep): Promise<RunResult> {
    try {
      if (step.method === 'history.undo')
        return await this.#ui.call(step.method, { ...step.asked, id: this.#id, stays: true });
      return await this.#ui.call(step.method, { ...step.asked, id: this.#id, stays: true });
    } catch (error) {
      if (!isControlError(error, 'Disconnected')) throw error;
      return this.#wait();
    }
  }

  /** Waits for the result of the restore. Repeats the request after each lost connection. */
  async #wait(): Promise<RunResult> {
    for (;;) {
      await this.#untilUp();
      try {
        await this.#recall();
        return await this.#ui.call('restores.wait', { id: this.#id });
      } catch (error) {
        if (isControlError(error, 'NotFound')) throw new Error(FORGOTTEN, { cause: error });
        if (!isControlError(error, 'Disconnected')) throw error;
      }
    }
  }

  /** Loads the progress that the restore made while the connection was lost. */
  async #recall(): Promise<void> {
    const { runs } = await this.#ui.call('restores.list', {});
    const run = runs.find(({ id }) => id === this.#id);
    if (!run) return;
    const { files, bytes, totalFiles, totalBytes } = run;
    this.#progress = { files, bytes, ...defined({ totalFiles, totalBytes }) };
    this.#ui.changes.soon();
  }

  #untilUp(): Promise<void> {
    const { link, changes } = this.#ui;
    if (link.isUp) return Promise.resolve();
    this.#state = 'lost';
    changes.soon();
    return new Promise((resolve) => {
      const stop = link.onState(({ kind }) => {
        if (kind !== 'up') return;
        stop();
        this.#state = 'running';
        resolve();
      });
    });
  }

  /** Shows the result of the restore on the current screen. */
  #changed(): void {
    const problems = this.results.reduce((sum, { problemCount }) => sum + problemCount, 0);
    const files = this.results.reduce((sum, each) => sum + each.files + each.symlinks, 0);
    if (this.#state === 'failed') this.#ui.notifyError(new Error(`restore: ${this.#failure}`));
    else if (this.#state === 'stopped')
      this.#ui.warn('the restore was stopped; restored files stay');
    else if (problems > 0)
      this.#ui.warn(`restored ${countText(files, 'file')}, with ${countText(problems, 'problem')}`);
    else this.#ui.notify(`restored ${countText(files, 'file')}`);
  }
}

const LEFT = 'the restore continues in the daemon; `:restores` shows it again';
const LEFT_FIRST = `${LEFT}; restores that have not begun are cancelled`;

/**
 * Returns the share of the bytes that was restored, from 0 to 1. If all files are empty, returns the share of the
 * files.
 */
export function shareOf({ files, bytes, totalFiles = 0, totalBytes = 0 }: RunProgress): number {
  if (totalBytes > 0) return bytes / totalBytes;
  return totalFiles > 0 ? files / totalFiles : 0;
}

/** Returns the progress in percent, for the footer. */
function shareText(progress: RunProgress | undefined): string {
  return progress ? percentText(shareOf(progress)) : '';
}

const FORGOTTEN =
  'the restore ended because the daemon was restarted; restored files stay: ' +
  'restore again to continue';
