import { expect, test } from 'vitest';
import { readmeText } from './store-detail.ts';

test.each([
  ['---\ntitle: x\ntags: [a]\n---\n# Hello\n\nText\n', '# Hello\n\nText'],
  ['---\r\ntitle: x\r\n---\r\nOne\r\nTwo\r\n', 'One\nTwo'],
  ['---\ntitle: x\n---', ''],
  ['no front matter\n---\nbut a line', 'no front matter\n---\nbut a line'],
  ['```\n    indented\n\ttabbed\n```', '```\n    indented\n tabbed\n```'],
  ['nothing \u202ehidden\u202c \u200bhere\u0007', 'nothing hidden here'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['', ''],
])('%j is shown as %j', (readme, shown) => expect(readmeText(readme)).toBe(shown));
