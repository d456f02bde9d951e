/** The error of a question that was answered with no. It ends the action and is not shown. */

export function declined(): Error {
  return new DOMException('the user said no', 'AbortError');
}
