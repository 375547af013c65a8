/** Each action that a page offers can be copied as a request or as a command, or it is said here why it cannot. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Operation } from '../daemon/contract/operations/operation.ts';
import { type OperationName, operations } from '../daemon/contract/operations/operations.ts';
import { projectDir } from '../daemon/testing/daemon/test-daemon.ts';

/** Calls that no one asks for by a button, or that a copied line must not hold. */
const notCopied: { readonly [N in OperationName]?: string } = {
  createEndpoint: 'a file of the user gets its place by a question before it: two calls',
  endOtherSessions: 'only a signed-in dashboard may',
  endSession: 'only a signed-in dashboard may',
  markCrashSeen: 'the page sends it by itself, once the crash was read',
  markNoticesSeen: 'the page sends it by itself, as the bell is opened',
  setAppVariable: 'its value may be a secret, which does not belong into the history of a shell',
  setMailSettings: 'has a password',
  signIn: 'has a token',
  signInToHub: 'has a token',
  signOut: 'ends the session of the browser that sends it',
  updateDesktop: 'only a dashboard may that no token opened',
  useRemoteCatalog: 'may have a token',
};

/** The commands that do what a call does which no token may make. */
const commandInstead: { readonly [N in OperationName]?: string } = {
  createSignInCode: 'ownCommands.signIn',
  createToken: 'ownCommands.createToken(',
  restartDaemon: 'ownCommands.restart',
  revokeToken: 'ownCommands.revokeToken(',
};

const root = join(projectDir, 'renderer');
const sources = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map(({ parentPath, name }) => join(parentPath, name))
  .filter((file) => !/\.test\.|\/testing\//.test(file));
const textIn = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const all = sources.map((file) => readFileSync(file, 'utf8')).join('\n');
const namesBy = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, name = '']) => name);

const changing = Object.entries<Operation>(operations)
  .filter(([, { method }]) => method !== 'GET')
  .map(([name]) => name as OperationName);
/** Those that the dashboard calls. */
const offered = changing.filter((name) => all.includes(`'${name}'`));
const copied: ReadonlySet<string> = new Set([
  ...namesBy(/callAction\(\s*[^,]+,\s*'(\w+)'/g, all),
  ...namesBy(/sends=\{\(call\) => call\('(\w+)'/g, all),
  // The tables of buttons that copy what they find there.
  ...namesBy(/call\('(\w+)'/g, textIn('slices', 'robot', 'robot-commands.ts')),
  ...namesBy(/^ {2}\w+: '(\w+)',$/gm, textIn('slices', 'models', 'endpoints-slice.ts')),
]);

test('each call of a page that changes something can be copied, unless a reason says why not', () => {
  expect(offered.length).toBeGreaterThan(50);
  const hasCommand = (name: OperationName) => all.includes(commandInstead[name] ?? '\0');
  expect(offered.filter((name) => !copied.has(name) && !hasCommand(name) && !notCopied[name])).toEqual([]);
});

test('no reason is out of date', () => {
  const explained = [...Object.keys(notCopied), ...Object.keys(commandInstead)] as OperationName[];
  expect(explained.filter((name) => copied.has(name) || !offered.includes(name))).toEqual([]);
});

test('no request is copied that a token, which it comes with, may not send', () => {
  const forDashboards = changing.filter((name) =>
    /^own(?:er|-user)$/.test((operations[name] as Operation).caller ?? ''),
  );
  expect(forDashboards.length).toBeGreaterThan(4);
  expect(forDashboards.filter((name) => copied.has(name))).toEqual([]);
});
