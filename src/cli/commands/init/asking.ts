/** Defines the inputs to the questions that `holdfast init` asks, and the plan that results from the answers. */

import type { Config } from '../../../config/config.ts';
import type { Credentials } from '../../../config/credentials.ts';
import type { JobWithTarget } from '../../../config/edit.ts';
import type { Protocol } from '../../../config/schema-words.ts';
import type { Context } from '../../context.ts';
import type { CredentialOptions } from '../../arguments/remote-target.ts';
import type { Answers } from '../../arguments/answers.ts';

export interface InitOptions extends CredentialOptions {
  readonly to?: string;
  readonly protocol?: Protocol;
  readonly region?: string;
  readonly bucket?: string;
  readonly lock?: string;
  readonly days?: number;
  readonly exclude?: readonly string[];
  readonly service?: boolean;
  /** False if `--no-start` is given. */
  readonly start?: boolean;
}

export interface Asking {
  readonly context: Context;
  readonly options: InitOptions;
  readonly answers: Answers;
  readonly config: Config;
}

/** The job and the target to add, according to the answers. */
export interface Plan extends JobWithTarget {
  /** The credentials of a new target. */
  readonly key?: Credentials;
  /** What the lock protects against, as a single line. */
  readonly promise: string;
  readonly warnings: readonly string[];
}
