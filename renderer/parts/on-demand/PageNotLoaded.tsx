import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { Note } from '../notes/Note.tsx';
import { PageHeader } from '../PageHeader.tsx';
import { ReloadButton } from './ReloadButton.tsx';
import { useReloadOnceBack } from './use-reload-once-back.ts';

interface PageNotLoadedProps {
  readonly name: string;
  /** Why it could not be loaded. */
  readonly reason: string;
  /** Reloads the window. */
  readonly reload: () => void;
}

/** In the place of a page that could not be loaded: reloads the window once the daemon answers. */
export function PageNotLoaded({ name, reason, reload }: PageNotLoadedProps) {
  const connected = useDashboard(isConnected);
  const reloads = useReloadOnceBack(name, reload);
  if (!connected) return <PageAwaited />;
  if (reloads) {
    return (
      <>
        <PageHeader title="This page is not loaded yet" />
        <Note
          tone="busy"
          urgent
          title="This page could not be loaded. The dashboard is reloaded as soon as the daemon answers."
        />
      </>
    );
  }
  return (
    <>
      <PageHeader title="This page cannot be shown" />
      <Note
        tone="failed"
        urgent
        title="The daemon answers, but this page could not be loaded, also not with the dashboard reloaded."
        actions={<ReloadButton reload={reload} />}
      >
        <p className="mono">{reason}</p>
      </Note>
    </>
  );
}

/** In the place of a page that is not loaded while the daemon does not answer. */
export function PageAwaited() {
  return (
    <>
      <PageHeader title="This page is not loaded yet" />
      <Note tone="busy" urgent title="The daemon does not answer, and this page was not opened before.">
        <p>The page appears by itself once the daemon answers.</p>
      </Note>
    </>
  );
}
