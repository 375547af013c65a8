import { type ComponentType, lazy, useEffect, useState } from 'react';
import { focusPage } from '../focus/focus-page.ts';
import { forgetReload, type NotLoadedProps, PageNotLoaded } from './PageNotLoaded.tsx';

export interface PageOnDemand<P> {
  /**
   * Suspends while it is loaded. If that fails, says so instead of the page, and reloads the window when that can help; it is
   * loaded again the next time that it is opened.
   */
  readonly Page: ComponentType<P>;
  readonly preload: () => Promise<unknown>;
}

/**
 * A page, or another part of the dashboard, that is loaded when it is opened.
 * @param name differs from those of the other pages
 * @param reload reloads the window
 * @param NotLoaded shown instead of a part that could not be loaded
 */
export function onDemand<P extends object>(
  name: string,
  load: () => Promise<ComponentType<P>>,
  loader: CodeLoader,
  reload: () => void,
  NotLoaded: ComponentType<P & NotLoadedProps> = PageNotLoaded,
): PageOnDemand<P> {
  let loading: Promise<ComponentType<P>> | null = null;
  let loaded: ComponentType<P> | null = null;
  const preload = () => {
    loading ??= loader.load(load).then(
      (Page) => {
        loaded = Page;
        return Page;
      },
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  const open = async () => {
    try {
      const Page = await preload();
      if (forgetReload(name)) focusPage(); // a reload loses the focus
      return { default: Page };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { default: (props: P) => <Failed props={props} reason={reason} /> };
    }
  };
  let Lazy = lazy<ComponentType<P>>(open);
  /** Loads it again once this is left, not before: React asks for it again while it shows this. */
  function Failed({ props, reason }: { readonly props: P; readonly reason: string }) {
    useEffect(
      () => () => {
        Lazy = lazy(open);
      },
      [],
    );
    return <NotLoaded {...props} name={name} reason={reason} reload={reload} />;
  }
  /** One that is loaded appears at once: what is typed next is for it. */
  function Page(props: P) {
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? Lazy);
    return <Shown {...props} />;
  }
  return { Page, preload };
}

/**
 * Loads the modules that are not part of the first load. The bundler's loader takes a style sheet that failed for a loaded one:
 * such a sheet is loaded again before the next module, whose page would else appear without its styles.
 */
export class CodeLoader {
  readonly #failedSheets = new Set<string>();
  #repair: Promise<void> | null = null;

  constructor() {
    const failed = ({ target }: Event) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') this.#failedSheets.add(target.href);
    };
    document.addEventListener('error', failed, true); // it does not bubble
  }

  /** @throws Error the module, or a style sheet that failed before, cannot be loaded */
  async load<T>(load: () => Promise<T>): Promise<T> {
    if (this.#failedSheets.size > 0) {
      this.#repair ??= this.#loadSheets().finally(() => {
        this.#repair = null;
      });
      await this.#repair;
    }
    return load();
  }

  async #loadSheets(): Promise<void> {
    const loads = [...this.#failedSheets].map(async (address) => {
      await loadSheet(address);
      this.#failedSheets.delete(address);
    });
    await Promise.all(loads);
  }
}

async function loadSheet(address: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = address;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  link.onload = () => resolve();
  link.onerror = () => {
    link.remove();
    reject(new Error(`Failed to load ${address}`));
  };
  document.head.append(link);
  return promise;
}
