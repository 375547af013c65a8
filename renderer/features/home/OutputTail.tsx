import { hrefOf } from '../../navigation/route.ts';
import { missingPage } from '../../slices/apps/output-buffer.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

const LINES = 6;

/** Shows the last lines of the running app, with a link to the rest. */
export function OutputTail({ appName }: { readonly appName: string }) {
  const output = useDashboard((s) => s.output);
  const isOwn = output.appName === appName;
  const lines = isOwn ? output.lines.slice(-LINES) : [];
  const loading = isOwn && missingPage(output) !== null;
  return (
    <div>
      <div className="home-tail" role="log" aria-live="off" aria-label="Newest output">
        {lines.length === 0 && <p className="muted">{loading ? 'Loading…' : 'No output yet.'}</p>}
        {lines.map(({ number, stream, text }) => (
          <p key={number} className={`home-tail-${stream}`}>
            {stream === 'stderr' && <span className="home-tail-mark">err </span>}
            {text || ' '}
          </p>
        ))}
      </div>
      <p className="small">
        <a href={hrefOf('apps', { appName, tab: 'output' })}>All output</a>
      </p>
    </div>
  );
}
