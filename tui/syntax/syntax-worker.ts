/** Runs in the syntax thread and highlights texts in the order in which they arrive. */

import { parentPort } from 'node:worker_threads';

import type { LanguageFn } from 'highlight.js';
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import perl from 'highlight.js/lib/languages/perl';
import php from 'highlight.js/lib/languages/php';
import properties from 'highlight.js/lib/languages/properties';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scss from 'highlight.js/lib/languages/scss';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

import { invariant } from '../../src/base/errors.ts';
import { linesOfHtml } from './highlighted-html.ts';
import type { Language } from './languages.ts';
import type { SyntaxReply, SyntaxRequest } from './syntax-messages.ts';

const GRAMMARS: Readonly<Record<Language, LanguageFn>> = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  perl,
  php,
  properties,
  python,
  ruby,
  rust,
  scss,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};

function serve(): void {
  invariant(parentPort, 'start highlighting: it runs as a worker thread only');
  const port = parentPort;
  for (const [name, grammar] of Object.entries(GRAMMARS)) {
    highlighter.registerLanguage(name, grammar);
  }
  port.on('message', ({ id, language, text }: SyntaxRequest) => {
    const { value } = highlighter.highlight(text, { language, ignoreIllegals: true });
    const reply: SyntaxReply = { id, lines: linesOfHtml(value) };
    port.postMessage(reply);
  });
}

serve();
