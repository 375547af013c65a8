import { join } from 'node:path';
import * as z from 'zod';
import { type AppVariable, VariableName } from '../../contract/apps/apps.ts';
import { KeyedMutex } from '../../shared/async/mutex.ts';
import { readStoredFile, writeJsonFile } from '../../shared/files/json-file.ts';
import { SecretUnreadable } from '../../shared/files/key-file-secret-store.ts';
import type { SecretStore } from '../../shared/files/secret-store.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import type { Logger } from '../../shared/logger.ts';
import type { RunEnvironment } from '../needs/needs-environment.ts';
import { VariablesDamaged, VariablesUnreadable } from './errors.ts';

export const MAX_VARIABLES = 100;
/** Limit of an app's values together, as stored. Systems limit the environment of a process. */
export const MAX_CHARACTERS = 128 * 1024;

/** The value of a secret is encrypted by the secret store. */
const StoredVariable = z.object({ name: VariableName, value: z.string(), secret: z.boolean() });
export const StoredVariables = z.object({ variables: z.array(StoredVariable) });
type StoredVariable = z.infer<typeof StoredVariable>;

/** Its name in the folder of an app. */
export const VARIABLES_FILE = 'variables.json';

interface AppVariablesDeps {
  /** The folder of an installed app. @throws AppNotInstalled */
  readonly folderOf: (appName: string) => string;
  readonly secrets: SecretStore;
  readonly log: Logger;
}

/** The environment variables that a user set for an app, stored in its folder; secrets encrypted. */
export class AppVariables {
  readonly #deps: AppVariablesDeps;
  readonly #locks = new KeyedMutex();

  constructor(deps: AppVariablesDeps) {
    this.#deps = deps;
  }

  /** Sorted by name. @throws AppNotInstalled, VariablesDamaged */
  async list(appName: string): Promise<AppVariable[]> {
    return this.#listed(await this.#read(appName));
  }

  /**
   * Sets a variable, which applies at the next start.
   * @throws AppNotInstalled, VariablesDamaged; InvalidBody when the value is invalid or a limit is exceeded
   */
  async set(
    appName: string,
    name: string,
    { value, secret }: { value: string; secret: boolean },
  ): Promise<AppVariable[]> {
    if (value.includes('\0')) throw invalidValue('A value cannot contain the character NUL.', name);
    const stored = secret ? await this.#deps.secrets.encrypt(value) : value;
    return this.#change(appName, (variables) => {
      const next = [...variables.filter((variable) => variable.name !== name), { name, value: stored, secret }];
      if (next.length > MAX_VARIABLES)
        throw invalidValue(`The app already has ${MAX_VARIABLES} variables. Remove one first.`, name);
      if (next.reduce((sum, variable) => sum + variable.value.length, 0) > MAX_CHARACTERS) {
        throw invalidValue(`The values are longer than ${MAX_CHARACTERS / 1024} kB together. Remove one first.`, name);
      }
      return next;
    });
  }

  /** Removes a variable if it exists. @throws AppNotInstalled, VariablesDamaged */
  async remove(appName: string, name: string): Promise<AppVariable[]> {
    return this.#change(appName, (variables) => variables.filter((variable) => variable.name !== name));
  }

  /** The names of the variables, sorted. @throws AppNotInstalled, VariablesDamaged */
  async names(appName: string): Promise<string[]> {
    return (await this.#read(appName)).map(({ name }) => name).sort();
  }

  /** Does work during which no variable of the app changes. @throws AppNotInstalled, and what the work throws */
  hold<T>(appName: string, work: () => Promise<T>): Promise<T> {
    return this.#locks.run(this.#file(appName), work);
  }

  /** The variables for a start of the app, decrypted. @throws AppNotInstalled, VariablesDamaged, VariablesUnreadable */
  async environment(appName: string): Promise<RunEnvironment> {
    const environment: Record<string, string> = {};
    const secrets: string[] = [];
    const unreadable: string[] = [];
    for (const { name, value, secret } of await this.#read(appName)) {
      const text = secret ? await this.#decrypted(value) : value;
      if (text === null) unreadable.push(name);
      else environment[name] = text;
      if (secret && text !== null) secrets.push(text);
    }
    if (unreadable.length > 0) throw new VariablesUnreadable(appName, unreadable.sort());
    return { environment, secrets };
  }

  /** @returns null when the secret can no longer be read, for example because the key is another one */
  async #decrypted(sealed: string): Promise<string | null> {
    return this.#deps.secrets.decrypt(sealed).catch((error: unknown) => {
      if (error instanceof SecretUnreadable) return null;
      throw error; // the key may not be read now
    });
  }

  async #listed(variables: readonly StoredVariable[]): Promise<AppVariable[]> {
    const listed = variables.map(async ({ name, value, secret }): Promise<AppVariable> => {
      if (!secret) return { name, value, secret };
      const isReadable = (await this.#decrypted(value)) !== null;
      return { name, value: null, secret, ...(isReadable ? {} : { unreadable: true }) };
    });
    return (await Promise.all(listed)).sort((a, b) => a.name.localeCompare(b.name, 'en'));
  }

  /** Changes of one app's variables run one at a time, so that none is lost. */
  #change(appName: string, change: (variables: StoredVariable[]) => StoredVariable[]): Promise<AppVariable[]> {
    const file = this.#file(appName);
    return this.#locks.run(file, async () => {
      const variables = change(await this.#read(appName));
      await writeJsonFile(file, { variables });
      return this.#listed(variables);
    });
  }

  async #read(appName: string): Promise<StoredVariable[]> {
    const { value, setAside } = await readStoredFile(this.#file(appName), StoredVariables, this.#deps.log);
    if (setAside) throw new VariablesDamaged(appName);
    return value?.variables ?? [];
  }

  #file(appName: string): string {
    return join(this.#deps.folderOf(appName), VARIABLES_FILE);
  }
}

const invalidValue = (message: string, name: string) => new InvalidBody(message, [{ path: [name], message }]);
