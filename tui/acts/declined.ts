/** The error that ends an action when the user answers its question with no. It is not shown. */

export function declined(): Error {
  return new DOMException('the user said no', 'AbortError');
}
