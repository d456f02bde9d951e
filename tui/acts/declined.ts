/** A question that was answered with no: what asked it ends, and nobody is told of a failure. */

export function declined(): Error {
  return new DOMException('the user said no', 'AbortError');
}
