/** Loads whether a bucket has Object Lock. Without it, no version of the bucket can be locked. */

import type { Result } from '../../src/control/messages.ts';
import type { Changes } from './changes.ts';
import type { DaemonLink } from './daemon-link.ts';
import { outcomeOf } from './outcome.ts';
import { asked } from './place.ts';
import type { BucketPlace } from './place.ts';

export const NO_OBJECT_LOCK = 'the bucket was created without Object Lock';

interface Sources {
  readonly link: DaemonLink;
  readonly changes: Changes;
}

export class ObjectLock {
  readonly #sources: Sources;
  readonly #place: BucketPlace;
  #bucket: Result<'buckets.describe'> | undefined;
  #asking: AbortController | undefined;

  constructor(sources: Sources, { target, bucket }: BucketPlace) {
    this.#sources = sources;
    this.#place = { target, bucket };
  }

  /** Why no version can be locked. Undefined if versions can be locked, or if the daemon has not responded yet. */
  get whyNot(): string | undefined {
    return this.#bucket && !this.#bucket.objectLock ? NO_OBJECT_LOCK : undefined;
  }

  read(): void {
    this.stop();
    this.#asking = new AbortController();
    const { link, changes } = this.#sources;
    const reading = link.call('buckets.describe', asked(this.#place), this.#asking);
    void outcomeOf(reading).then(
      ({ value }) => {
        // A user who may list the versions may lack the permission to read the bucket's configuration.
        this.#bucket = value ?? this.#bucket;
        changes.soon();
      },
      // `outcomeOf` rejects only if the screen was closed.
      () => undefined,
    );
  }

  stop(): void {
    this.#asking?.abort();
  }
}
