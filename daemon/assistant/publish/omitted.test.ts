import { expect, test } from 'vitest';
import { omissionOf } from './files-to-publish.ts';

test.each([
  ['.env', 'secrets'],
  ['deploy/.env.local', 'secrets'],
  ['.env.example', null],
  ['.envrc', null],
  ['.ssh/id_ed25519', 'secrets'],
  ['id_rsa.pub', null],
  ['.venv/bin/python', 'environment'],
  ['tools/venv/pyvenv.cfg', 'environment'],
  ['wave/__pycache__/main.pyc', 'of-tools'],
  ['wave/main.pyc', 'of-tools'],
  ['.DS_Store', 'of-tools'],
  ['build/lib/main.py', 'of-tools'],
  ['wave/build/main.py', null],
  ['wave.egg-info/PKG-INFO', 'of-tools'],
  ['.pyproject.toml.unfinished', 'of-tools'],
  ['.git.unfinished/', 'of-tools'],
  ['.gitignore', null],
  ['.github/workflows/test.yml', null],
  ['wave/main.py', null],
])('%s: %s', (path, omission) => {
  expect(omissionOf(path)).toBe(omission);
});
