/** Frees memory before the garbage collector would, which costs more than the work on large bodies. */

/** Frees the memory of `bytes` if no other array can share it. `bytes` is empty afterwards. */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
