import { StateMark } from '../../parts/notes/StateWord.tsx';
import { useBrowserNow } from '../../parts/Times.tsx';
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
  useBrowserNow(EVERY_MS);
  const now = performance.now(); // `sentAt` is of this clock
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
