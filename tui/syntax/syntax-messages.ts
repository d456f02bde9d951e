/** The messages between the dashboard and its syntax highlighting thread. */

import type { Language } from './languages.ts';
import type { SpanLine } from './span.ts';

export interface SyntaxRequest {
  readonly id: number;
  readonly language: Language;
  readonly text: string;
}

export interface SyntaxReply {
  readonly id: number;
  readonly lines: readonly SpanLine[];
}
