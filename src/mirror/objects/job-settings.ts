/**
 * Determines the headers, tags and ACL of a new version. The job's rules take precedence over the settings of the
 * replaced or moved object.
 */

import { errorMessage } from '../../base/errors.ts';
import type { ObjectAttributes } from '../../object-store/object-store.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import type { Destination, VersionName } from './destination.ts';
import type { MirrorJob } from '../model/types.ts';
import { type ObjectSettings, readSettings, settingsByRules } from './preserved-settings.ts';

export class JobSettings {
  readonly #destination: Destination;
  readonly #preserves: boolean;
  readonly #byRules: (key: string) => ObjectSettings;
  #unread: string | undefined;
  /**
   * Whether the service may support ACLs. After the service reports that it does not, the job stops asking for them.
   */
  #hasAcls = true;

  constructor(job: Pick<MirrorJob, 'attributes' | 'carry'>, destination: Destination) {
    this.#destination = destination;
    this.#preserves = job.carry !== false;
    this.#byRules = settingsByRules(job.attributes ?? []);
  }

  /**
   * Returns the settings for a new version. `from` is the replaced or copied version, if there is one. Rejects with the
   * store's errors.
   */
  async of(
    key: string,
    from: VersionName | undefined,
    signal: AbortSignal,
  ): Promise<ObjectSettings> {
    const stated = this.#byRules(key);
    if (!this.#preserves || !from) return stated;
    const onUnread = (error: unknown) => {
      this.#unread = errorMessage(error);
      if (isStorageError(error, 'NotImplemented')) this.#hasAcls = false;
    };
    const options = { signal, hasAcls: this.#hasAcls, onUnread };
    const preserved = await readSettings(this.#destination, from, options);
    return { ...preserved, ...stated, headers: { ...preserved.headers, ...stated.headers } };
  }

  warnings(): readonly string[] {
    if (this.#unread === undefined) return [];
    return [
      `the ACLs of objects are not preserved in new versions, because they cannot be read: ${this.#unread}; ` +
        'set carry: false to stop reading them',
    ];
  }
}

/** Converts the settings to request properties. */
export function withSettings(
  attributes: ObjectAttributes,
  { headers, ...others }: ObjectSettings,
): Pick<ObjectSettings, 'tags' | 'acl'> & { readonly attributes: ObjectAttributes } {
  return { attributes: { ...attributes, ...headers }, ...others };
}
