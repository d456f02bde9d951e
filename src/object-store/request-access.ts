/** Rights that are asked before the document of a request is read, which may be large: by its line and its sender alone. */

import type { Action } from './action.ts';

/** What a request wants to do, as far as that is known without its document. */
export interface RequestedAction {
  readonly action: Action;
  readonly bucket: string;
  /** Absent where it is about the bucket, or about objects that the document names. */
  readonly key?: string | undefined;
  readonly versionId?: string | undefined;
  readonly uploadId?: string | undefined;
}

/** As one caller has them. The store judges all of the request when it is asked to do it. */
export interface RequestAccess {
  /** Throws `NoSuchBucket`, and `AccessDenied` where no document could be allowed. */
  allow(requested: RequestedAction): void;
}
