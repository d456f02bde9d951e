/** What fields of forms are checked for alike. */

export function required(text: string): string | undefined {
  return text.trim() === '' ? 'is required' : undefined;
}
