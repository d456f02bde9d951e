/** What a question came to: an answer, or why there is none, for people. */

import { errorMessage, isAbort } from '../../src/base/errors.ts';

export type Outcome<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string };

/** Rejects with nothing but an abort. */
export async function outcomeOf<T>(answer: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await answer };
  } catch (error) {
    if (isAbort(error)) throw error;
    return { problem: errorMessage(error) };
  }
}
