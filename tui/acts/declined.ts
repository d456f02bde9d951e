/** The error for a question that the user answered with no. It ends the action and is not shown. */

export function declined(): Error {
  return new DOMException('the user said no', 'AbortError');
}
