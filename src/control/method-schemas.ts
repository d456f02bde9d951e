/** Loads the schemas of a method on demand, because most processes need only a few. */

import type { z } from 'zod';

import type { MethodName } from './messages.ts';

interface MethodSchemas {
  readonly params: z.ZodObject;
  readonly result: z.ZodType;
}

/**
 * Returns the schemas of a method. Building the schemas of all methods takes longer than starting Node, so they are
 * loaded when the first method needs them.
 */
export async function schemasOf(method: MethodName): Promise<MethodSchemas> {
  const { FIRST_METHODS } = await import('./first-messages.ts');
  if (Object.hasOwn(FIRST_METHODS, method))
    return FIRST_METHODS[method as keyof typeof FIRST_METHODS];
  const { METHODS } = await import('./messages.ts');
  return METHODS[method];
}
