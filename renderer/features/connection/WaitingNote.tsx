import { useEffect, useState } from 'react';
import { StateMark } from '../../parts/notes/StateWord.tsx';
import { titleOf } from '../../slices/apps/apps-slice.ts';
import { type Waiting, waitingCommands } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { waitingText } from './waiting-text.ts';

/** A quicker reply is not worth a sentence. */
const SHOW_AFTER_MS = 1_000;
const EVERY_MS = 250;

/** Says what the page waits for, when the daemon takes its time to answer a command. */
export function WaitingNote() {
  const commands = useDashboard((s) => s.commands);
  const waiting = waitingCommands({ commands });
  return waiting.length > 0 && <Late waiting={waiting} />;
}

function Late({ waiting }: { readonly waiting: readonly Waiting[] }) {
  const now = useMonotonicNow();
  const [oldest, ...others] = waiting.filter(({ sentAt }) => now - sentAt >= SHOW_AFTER_MS);
  const text = useDashboard((s) => oldest && waitingText(oldest, (name) => titleOf(s, name)));
  if (!oldest) return null;
  const seconds = Math.floor((now - oldest.sentAt) / 1000);
  return (
    <section className="waiting" aria-label="Waiting">
      <StateMark tone="busy" />
      <p role="status">
        Waiting for the daemon to {text}
        {others.length > 0 && ` and ${others.length} more`}
      </p>
      {/* Not in the status, which would be read out each second. */}
      <span className="muted">{seconds} s</span>
    </section>
  );
}

/** The time of `performance` in ms, which `sentAt` is in. */
function useMonotonicNow(): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
