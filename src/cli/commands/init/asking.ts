/** What the questions of `holdfast init` are asked with, and what they come to. */

import type { Config } from '../../../config/config.ts';
import type { Credentials } from '../../../config/credentials.ts';
import type { JobWithTarget } from '../../../config/edit.ts';
import type { Context } from '../../context.ts';
import type { Answers } from './answers.ts';

export interface InitOptions {
  readonly to?: string;
  readonly dialect?: 'svc' | 'amz';
  readonly region?: string;
  readonly credentials?: string;
  readonly bucket?: string;
  readonly lock?: string;
  readonly days?: number;
  readonly exclude?: readonly string[];
  readonly service?: boolean;
  readonly yes?: boolean;
}

export interface Asking {
  readonly context: Context;
  readonly options: InitOptions;
  readonly answers: Answers;
  readonly config: Config;
}

/** All that was asked for. */
export interface Plan extends JobWithTarget {
  /** Of a target that is new. */
  readonly key?: Credentials;
  readonly promise: string;
  readonly warnings: readonly string[];
}
