import { DaemonError } from '../../client/daemon-error.ts';
import { DomainError } from '../../shared/domain-error.ts';
import type { AppContext } from './app-daemon.ts';

class NoSuchApp extends DomainError {}

/**
 * Runs work on an app that a person named. For an app that does not exist, a similar one is suggested.
 * @param given undefined: none was named
 */
export async function onAppNamed(
  given: string | undefined,
  context: AppContext,
  work: (context: AppContext) => Promise<void>,
): Promise<void> {
  try {
    await work(context);
  } catch (error) {
    if (given === undefined || !(error instanceof DaemonError) || error.status !== 404) throw error;
    const apps = await context.client.call('listApps');
    if (apps.some(({ name }) => name === given)) throw error;
    const meant = apps.find(({ name, title }) => [name, title].some((word) => plain(word) === plain(given)));
    const hint = meant ? `Did you mean ${meant.name}?` : '"robot-daemon app ls" lists the installed ones.';
    throw new NoSuchApp(`There is no installed app "${given}". ${hint}`);
  }
}

/** A name as people remember it: `Hello wave` and `hello-wave` are `hello_wave`. */
const plain = (word: string) => word.toLowerCase().replace(/[\s-]+/g, '_');
