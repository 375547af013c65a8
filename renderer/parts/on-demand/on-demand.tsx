import { type ComponentType, lazy, useState } from 'react';
import { focusPage } from '../focus/focus-page.ts';
import { forgetReload, type NotLoadedProps, PageNotLoaded } from './PageNotLoaded.tsx';

export interface PageOnDemand<P> {
  /** Suspends while it is loaded. If that fails, says so instead of the page, and reloads the window when that can help. */
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
    loading ??= loader.load(load).then((Page) => {
      loaded = Page;
      return Page;
    });
    return loading;
  };
  const open = async () => {
    try {
      const Page = await preload();
      if (forgetReload(name)) focusPage(); // a reload loses the focus
      return { default: Page };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { default: (props: P) => <NotLoaded {...props} name={name} reason={reason} reload={reload} /> };
    }
  };
  const Lazy = lazy<ComponentType<P>>(open);
  /** One that is loaded appears at once: what is typed next is for it. */
  function Page(props: P) {
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? Lazy);
    return <Shown {...props} />;
  }
  return { Page, preload };
}

/**
 * Loads the modules that are not part of the first load. After one has failed, nothing more is loaded until the window is
 * reloaded: the bundler takes a style sheet that failed for a loaded one, and a page would appear without its styles.
 */
export class CodeLoader {
  #failure: unknown = null;

  /** @throws Error the first failure of any module */
  async load<T>(load: () => Promise<T>): Promise<T> {
    if (this.#failure !== null) throw this.#failure;
    try {
      return await load();
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }
}
