/** The settings of a job's objects: by its rules, and else as they are on the object that is replaced or moved. */

import { errorMessage } from '../../base/errors.ts';
import type { ObjectAttributes } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import type { Place, VersionName } from './destination.ts';
import type { MirrorJob } from '../model/types.ts';
import { readSettings } from './preserved-settings.ts';
import { type ObjectSettings, settingsByRules } from './object-settings.ts';

export class JobSettings {
  readonly #place: Place;
  readonly #isCarried: boolean;
  readonly #byRules: (key: string) => ObjectSettings;
  #unread: string | undefined;
  /** Until the service says that it knows none: it will not learn of them as long as the job is open. */
  #hasRights = true;

  constructor(job: Pick<MirrorJob, 'attributes' | 'carry'>, place: Place) {
    this.#place = place;
    this.#isCarried = job.carry !== false;
    this.#byRules = settingsByRules(job.attributes ?? []);
  }

  /** `from`: what is replaced or copied, where there is something. Rejects as the store does. */
  async of(
    key: string,
    from: VersionName | undefined,
    signal: AbortSignal,
  ): Promise<ObjectSettings> {
    const stated = this.#byRules(key);
    if (!this.#isCarried || !from) return stated;
    const onUnread = (error: unknown) => {
      this.#unread = errorMessage(error);
      if (isStorageError(error, 'NotImplemented')) this.#hasRights = false;
    };
    const options = { signal, hasRights: this.#hasRights, onUnread };
    const carried = await readSettings(this.#place, from, options);
    return { ...carried, ...stated, headers: { ...carried.headers, ...stated.headers } };
  }

  warnings(): readonly string[] {
    if (this.#unread === undefined) return [];
    return [
      `rights of objects are not carried over to new versions, since they cannot be read: ${this.#unread}; ` +
        'carry: false asks no more',
    ];
  }
}

/** The request's members of the settings. */
export function withSettings(
  attributes: ObjectAttributes,
  { headers, ...others }: ObjectSettings,
): Pick<ObjectSettings, 'tags' | 'acl'> & { readonly attributes: ObjectAttributes } {
  return { attributes: { ...attributes, ...headers }, ...others };
}
