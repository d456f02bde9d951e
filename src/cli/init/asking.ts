/** What the questions of `holdfast init` are asked with. */

import type { Config } from '../../config/config.ts';
import type { Context } from '../context.ts';
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
