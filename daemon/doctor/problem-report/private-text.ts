import { withoutSecrets } from '../../apps/crash/crash-secrets.ts';
import { createMask } from '../../apps/run/process/run-mask.ts';

/** Facts about the user that a report of a problem must not tell. */
export interface PrivateFacts {
  /** The user's home folder, by each of its names. */
  readonly homes: readonly string[];
  /** The user's name on this machine; null: unknown. */
  readonly user: string | null;
  /** Texts that are masked wherever they occur: tokens, values of variables. */
  readonly secrets: readonly string[];
}

/**
 * Makes a text of this machine fit to be shown to others: tokens, keys, passwords and known secrets are masked as far as
 * they can be recognized; home folders become `~`, the user's name `user`, the names in mail addresses `…`.
 */
export function privateMask({ homes, user, secrets }: PrivateFacts): (text: string) => string {
  const withoutKnown = createMask(secrets);
  const changes = [...homes.filter(isDistinctive).flatMap(homeForms).map(replaceHome), ...replaceUser(user)];
  return (text) => changes.reduce((changed, change) => change(changed), withoutSecrets(withoutKnown(text)));
}

type Change = (text: string) => string;

/** A root folder is part of every path. */
const isDistinctive = (home: string): boolean => home.replace(/[\\/]+$/, '').length > 3;

/** A path as it is, with the backslashes of JSON, and encoded as in a `file:` address. */
function homeForms(home: string): string[] {
  const path = home.replace(/[\\/]+$/, '');
  const encoded = encodeURI(path.replaceAll('\\', '/'));
  return [...new Set([path, path.replaceAll('\\', '\\\\'), encoded])];
}

function replaceHome(path: string): Change {
  const whole = new RegExp(`(?<![\\w.-])${escaped(path)}(?![\\w.-])`, path.includes('\\') ? 'gi' : 'g');
  return (text) => text.replace(whole, '~');
}

/** The folders in which systems keep a folder for each user, before the name. */
const FOLDER_OF_USERS = /((?:\/|\b[a-z]:[\\/]+)(?:home|Users|run\/media|media)[\\/]+)[^\\/\s:;,"'<>|]+/gi;
const MAIL_NAME = /[\w.+-]{1,64}@(?=[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b)/gi;

function replaceUser(user: string | null): Change[] {
  const others: Change[] = [(text) => text.replace(FOLDER_OF_USERS, '$1user'), (text) => text.replace(MAIL_NAME, '…@')];
  if (user === null || user.length < 3 || ORDINARY.has(user.toLowerCase())) return others;
  const name = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(user)}(?![\\p{L}\\p{N}])`, 'giu');
  return [...others, (text) => text.replace(name, 'user')];
}

/** Names of users that are words of every report: replaced, they would tell nothing and hide much. */
const ORDINARY: ReadonlySet<string> = new Set([
  ...['admin', 'app', 'apps', 'builder', 'daemon', 'desktop', 'dev', 'developer', 'guest', 'home', 'model', 'models'],
  ...['node', 'python', 'robot', 'root', 'runner', 'test', 'user'],
]);

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
