import { join } from 'node:path';
import * as z from 'zod';
import { type AppVariable, VariableName } from '../../contract/apps/apps.ts';
import { Turns } from '../../shared/async/turns.ts';
import { writeJsonFile } from '../../shared/files/json-file.ts';
import { readKeptFile } from '../../shared/files/kept-file.ts';
import type { SecretStore } from '../../shared/files/secret-store.ts';
import { InvalidBody } from '../../shared/invalid-input.ts';
import type { Logger } from '../../shared/logger.ts';
import { VariablesDamaged, VariableUnreadable } from './errors.ts';

export const MAX_VARIABLES = 100;
/** All values of an app together, as they are kept: systems bound the environment that a process can be given. */
export const MAX_CHARACTERS = 128 * 1024;

/** The value of a secret is as the secret store encrypted it. */
const KeptVariable = z.object({ name: VariableName, value: z.string(), secret: z.boolean() });
const KeptVariables = z.object({ variables: z.array(KeptVariable) });
type KeptVariable = z.infer<typeof KeptVariable>;

/** What an app is started with beyond what every app gets. */
export interface AppEnvironment {
  readonly environment: Readonly<Record<string, string>>;
  /** The values among them that must never be shown. */
  readonly secrets: readonly string[];
}

export interface AppVariablesDeps {
  /** The folder of an installed app. @throws AppNotInstalled */
  readonly folderOf: (appName: string) => string;
  readonly secrets: SecretStore;
  readonly log: Logger;
}

/** The environment variables that a user has set for an app, kept in its folder; secrets encrypted. */
export class AppVariables {
  readonly #deps: AppVariablesDeps;
  readonly #turns = new Turns();

  constructor(deps: AppVariablesDeps) {
    this.#deps = deps;
  }

  /** By name. @throws AppNotInstalled, VariablesDamaged */
  async list(appName: string): Promise<AppVariable[]> {
    return shown(await this.#read(appName));
  }

  /**
   * Sets one, from the next start on.
   * @throws AppNotInstalled, VariablesDamaged; InvalidBody where the value cannot be one, or there are too many
   */
  async set(
    appName: string,
    name: string,
    { value, secret }: { value: string; secret: boolean },
  ): Promise<AppVariable[]> {
    if (value.includes('\0')) throw tooMuch('A value cannot hold the character NUL.', name);
    const kept = secret ? await this.#deps.secrets.encrypt(value) : value;
    return this.#change(appName, (variables) => {
      const next = [...variables.filter((variable) => variable.name !== name), { name, value: kept, secret }];
      if (next.length > MAX_VARIABLES) throw tooMuch(`There are ${MAX_VARIABLES} already. Remove one first.`, name);
      if (next.reduce((sum, variable) => sum + variable.value.length, 0) > MAX_CHARACTERS) {
        throw tooMuch(`The values are longer than ${MAX_CHARACTERS / 1024} kB together. Remove one first.`, name);
      }
      return next;
    });
  }

  /** Forgets one, where there is one of that name. @throws AppNotInstalled, VariablesDamaged */
  async remove(appName: string, name: string): Promise<AppVariable[]> {
    return this.#change(appName, (variables) => variables.filter((variable) => variable.name !== name));
  }

  /** What to start the app with. @throws AppNotInstalled, VariablesDamaged, VariableUnreadable */
  async environment(appName: string): Promise<AppEnvironment> {
    const environment: Record<string, string> = {};
    const secrets: string[] = [];
    for (const { name, value, secret } of await this.#read(appName)) {
      environment[name] = secret ? await this.#decrypt(appName, name, value) : value;
      if (secret) secrets.push(environment[name]);
    }
    return { environment, secrets };
  }

  async #decrypt(appName: string, name: string, value: string): Promise<string> {
    try {
      return await this.#deps.secrets.decrypt(value);
    } catch (error) {
      throw new VariableUnreadable(appName, name, error);
    }
  }

  /** One change of an app's variables at a time: each is made to what the one before has left. */
  #change(appName: string, change: (variables: KeptVariable[]) => KeptVariable[]): Promise<AppVariable[]> {
    const file = this.#file(appName);
    return this.#turns.run(file, async () => {
      const variables = change(await this.#read(appName));
      await writeJsonFile(file, { variables });
      return shown(variables);
    });
  }

  async #read(appName: string): Promise<KeptVariable[]> {
    const { value, setAside } = await readKeptFile(this.#file(appName), KeptVariables, this.#deps.log);
    if (setAside) throw new VariablesDamaged(appName);
    return value?.variables ?? [];
  }

  #file(appName: string): string {
    return join(this.#deps.folderOf(appName), 'variables.json');
  }
}

function shown(variables: readonly KeptVariable[]): AppVariable[] {
  return variables
    .map(({ name, value, secret }) => ({ name, value: secret ? null : value, secret }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

const tooMuch = (message: string, name: string) => new InvalidBody(message, [{ path: [name], message }]);
