/** Node's warnings: written to the terminal they would tear the screen. */

type Warn = (message: string) => void;

/** They are told to `warn` until the returned function is called, and printed as usual afterwards. */
export function takeWarnings(warn: Warn): () => void {
  const printing = process.listeners('warning');
  process.removeAllListeners('warning');
  const told = ({ name, message }: Error) => warn(`${name}: ${message}`);
  process.on('warning', told);
  return () => {
    process.off('warning', told);
    for (const listener of printing) process.on('warning', listener);
  };
}
