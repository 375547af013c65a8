import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { ClosingChoice, type DesktopChanges, type DesktopStatus, type UpdateStep } from '../daemon/contract/desktop.ts';
import { EventBus } from '../daemon/shared/async/event-bus.ts';
import { Mutex } from '../daemon/shared/async/mutex.ts';
import type { DesktopHost } from '../daemon/shared/desktop-host.ts';
import { readStoredFile, writeJsonFile } from '../daemon/shared/files/json-file.ts';
import type { Logger } from '../daemon/shared/logger.ts';
import type { LoginItem } from './login/login-item.ts';
import type { Updates } from './updates/updates.ts';

/** The file with the settings, in Electron's profile. */
const StoredSettings = z.object({
  closing: ClosingChoice.default('ask'),
  opensHidden: z.boolean().default(false),
  looksForUpdates: z.boolean().default(true),
});
type StoredSettings = z.infer<typeof StoredSettings>;

interface DesktopSettingsDeps {
  readonly file: string;
  readonly platform: NodeJS.Platform;
  readonly loginItem: LoginItem;
  readonly updates: Updates;
  readonly log: Pick<Logger, 'error'>;
}

/** The settings of the desktop program. The dashboard shows and changes them through the daemon of the window. */
export class DesktopSettings implements DesktopHost {
  readonly #deps: DesktopSettingsDeps;
  readonly #changes = new EventBus<DesktopStatus>();
  /** Two changes at once would each write without the other. */
  readonly #changing = new Mutex();
  #stored: StoredSettings = StoredSettings.parse({});
  #opensAtLogin = false;
  #noTray: string | null = null;

  constructor(deps: DesktopSettingsDeps) {
    this.#deps = deps;
    deps.updates.onChange = () => this.#publish();
  }

  readonly onChange = (listener: () => void): void => void this.#changes.subscribe(listener);

  get status(): DesktopStatus {
    const { platform, updates } = this.#deps;
    const { closing, ...others } = this.#stored;
    return {
      closing: platform === 'darwin' ? null : closing, // there a program stays open without a window
      noTray: this.#noTray,
      opensAtLogin: this.#opensAtLogin,
      ...others,
      update: updates.update,
    };
  }

  /** @param reason why the desktop shows no tray icon; null: it shows one */
  setNoTray(reason: string | null): void {
    if (this.#noTray === reason) return;
    this.#noTray = reason;
    this.#publish();
  }

  /** Reads the settings; those of a file that cannot be read are the first ones. Never rejects. */
  async load(): Promise<void> {
    const { file, loginItem, updates, log } = this.#deps;
    const stored = await readStoredFile(file, StoredSettings, log).catch((error: unknown) => {
      log.error('the settings of the window could not be read', error);
      return null;
    });
    this.#stored = stored?.value ?? this.#stored;
    await loginItem.renew();
    this.#opensAtLogin = await loginItem.isOn().catch(() => false);
    this.#publish();
    void updates.begin(this.#stored.looksForUpdates);
  }

  readonly change = (changes: DesktopChanges): Promise<DesktopStatus> =>
    this.#changing.run(async () => {
      const { opensAtLogin, ...others } = changes;
      if (opensAtLogin !== undefined) {
        await this.#deps.loginItem.switch(opensAtLogin);
        this.#opensAtLogin = opensAtLogin;
        this.#publish();
      }
      const stored = { ...this.#stored, ...withoutUndefined(others) };
      if (!isDeepStrictEqual(stored, this.#stored)) await this.#store(stored);
      return this.status;
    });

  readonly update = (step: UpdateStep): DesktopStatus => {
    this.#deps.updates.step(step);
    return this.status;
  };

  async #store(stored: StoredSettings): Promise<void> {
    const { file, updates } = this.#deps;
    const { looksForUpdates } = this.#stored;
    await writeJsonFile(file, stored);
    this.#stored = stored;
    if (stored.looksForUpdates !== looksForUpdates) updates.switch(stored.looksForUpdates);
    this.#publish();
  }

  #publish(): void {
    this.#changes.publish(this.status);
  }
}

/** A member that is undefined would replace the stored one. */
function withoutUndefined(changes: Omit<DesktopChanges, 'opensAtLogin'>): Partial<StoredSettings> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<StoredSettings>;
}
