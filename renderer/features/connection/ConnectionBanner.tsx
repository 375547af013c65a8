import { Button } from '@mantine/core';
import { NO_ANSWER } from '../../../daemon/client/daemon-client.ts';
import { StateMark } from '../../parts/notes/StateWord.tsx';
import { useNow } from '../../parts/use-now.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import './connection-banner.css';

/** Shown only while the daemon does not answer. */
export function ConnectionBanner() {
  const connection = useDashboard((s) => s.connection);
  const reconnectNow = useDashboard((s) => s.reconnectNow);
  if (connection.phase !== 'lost') return null;
  const { retryAt, lastSeen } = connection;
  return (
    <section className="connection-banner" aria-label="Connection">
      <StateMark tone="failed" />
      <p className="connection-text">
        <strong>{NO_ANSWER}</strong>{' '}
        {lastSeen !== null && <span className="muted">Last update at {new Date(lastSeen).toLocaleTimeString()}.</span>}
      </p>
      <span className="connection-retry muted">{retryAt === null ? 'Trying now…' : <Countdown to={retryAt} />}</span>
      <Button variant="default" size="compact-sm" disabled={retryAt === null} onClick={reconnectNow}>
        Try now
      </Button>
    </section>
  );
}

function Countdown({ to }: { readonly to: number }) {
  const seconds = Math.max(0, Math.ceil((to - useNow(250)) / 1000));
  return `Trying again in ${seconds} s`;
}
