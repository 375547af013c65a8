import { useEffect, useState } from 'react';
import type { EndpointDetail } from '../../../daemon/contract/endpoints/endpoint.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import type { Playground as PlaygroundComponent } from '../playground/Playground.tsx';
import '../../parts/figures.css';
import '../../parts/forms/segments.css';
import '../activity/job-progress.css';
import '../output/output.css';
import '../endpoints/endpoints.css';
import './endpoint-page.css';
import '../playground/playground.css';

/** A place to try an endpoint. Its code is loaded when it is opened; after a failure, again with each reconnect. */
export function TryPanel({ detail }: { readonly detail: EndpointDetail }) {
  const [Playground, setPlayground] = useState<typeof PlaygroundComponent | 'loading' | null>('loading');
  const snapshots = useDashboard((s) => s.snapshots);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `snapshots` loads again
  useEffect(() => {
    let isShown = true;
    import('../playground/Playground.tsx').then(
      (module) => isShown && setPlayground(() => module.Playground),
      () => isShown && setPlayground((known: typeof Playground) => (known === 'loading' ? null : known)),
    );
    return () => {
      isShown = false;
    };
  }, [snapshots]);
  if (Playground === 'loading') return <Skeleton rows={4} />;
  if (Playground === null) return <Note tone="offline" title="The daemon does not send this part of the page now." />;
  const { namespace, endpoint } = detail;
  return <Playground key={`${namespace}/${endpoint.name}`} detail={detail} />;
}
