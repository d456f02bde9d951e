/** The outcome of a request: its value, or an error message for the user. */

import { errorMessage, isAbort } from '../../src/base/errors.ts';

export type Outcome<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: string };

/**
 * Converts a promise to an outcome, which holds the value or the error message. Rejects only if the
 * request was aborted.
 */
export async function outcomeOf<T>(answer: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await answer };
  } catch (error) {
    if (isAbort(error)) throw error;
    return { problem: errorMessage(error) };
  }
}
