/**
 * Frees the memory of large bodies immediately, because the garbage collector would need more time than the work on
 * them.
 */

/** Frees the memory of `bytes` if no other array can share it. `bytes` is empty afterwards. */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
