/** Defines the inputs to the questions that `holdfast restore` asks. */

import type { Answers } from '../../../arguments/answers.ts';
import type { Context } from '../../../context.ts';
import type { KnownJob, Source } from './source.ts';

export interface Asking {
  readonly context: Context;
  readonly answers: Answers;
  readonly source: Source;
  readonly job: KnownJob;
}
