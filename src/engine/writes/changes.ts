/**
 * Notifies change monitors of commits in their bucket and prefix. A monitor is not notified of changes that its own
 * caller made.
 */

import type { ChangeMonitor, WatchedPrefix } from '../../object-store/change-monitor.ts';
import type { CommandName, Commands, PutObjects, PutOutcome } from './commands/commands.ts';

interface Listener {
  readonly prefix: string;
  readonly own: object;
  readonly heard: (key: string | undefined) => void;
}

/**
 * Commands of a multipart upload that change no object, version or bucket. Only completing the upload changes an
 * object.
 */
const UPLOAD_STEPS: ReadonlySet<CommandName> = new Set(['createUpload', 'putPart', 'abortUpload']);

export class Changes {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** Returns a monitor of all changes except those made through the caller context `own`. */
  beside(own: object): ChangeMonitor {
    return {
      onChange: ({ bucket, prefix }, heard) => {
        const listener = { prefix, own, heard };
        const ofBucket = this.#listeners.get(bucket) ?? new Set();
        this.#listeners.set(bucket, ofBucket.add(listener));
        return () => {
          ofBucket.delete(listener);
          if (ofBucket.size === 0) this.#listeners.delete(bucket);
        };
      },
    };
  }

  /**
   * Notifies the monitors after a command was committed. `by` is the context of the caller that ran the command; absent
   * for commands of the engine itself.
   */
  committed<Name extends CommandName>(
    name: Name,
    { request, result }: { readonly request: Commands[Name]['request']; readonly result: unknown },
    by?: object,
  ): void {
    if (this.#listeners.size === 0 || UPLOAD_STEPS.has(name)) return;
    for (const { bucket, key } of placesOf(request, result))
      for (const { prefix, own, heard } of this.#listeners.get(bucket) ?? [])
        if (own !== by && (key === undefined || key.startsWith(prefix))) heard(key);
  }
}

interface ChangedPlace extends Pick<WatchedPrefix, 'bucket'> {
  readonly key?: string;
}

function placesOf(
  request: Commands[CommandName]['request'],
  result: unknown,
): readonly ChangedPlace[] {
  if ('targets' in request)
    return request.targets.filter(({ action }) => action !== 'abort-upload');
  if ('objects' in request) return putPlaces(request, result as readonly PutOutcome[]);
  return 'bucket' in request ? [request] : [];
}

function putPlaces(
  { bucket, objects }: PutObjects,
  outcomes: readonly PutOutcome[],
): readonly ChangedPlace[] {
  return outcomes.flatMap((outcome, index) => {
    const object = objects[index];
    return object && !('code' in outcome) ? [{ bucket, key: object.key }] : [];
  });
}
