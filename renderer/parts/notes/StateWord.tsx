import { isStale } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import './state-word.css';

/** The kind of a state. Each has its own shape, so that colour is never the only cue. */
export type Tone = 'running' | 'busy' | 'failed' | 'asleep' | 'done' | 'idle' | 'offline';

/** The shape of a state. Hidden from screen readers, which read the word beside it. */
export function StateMark({ tone }: { readonly tone: Tone }) {
  return (
    <svg className={`state-mark tone-${tone}`} viewBox="0 0 16 16" aria-hidden="true">
      {shapes[tone]}
    </svg>
  );
}

/** The tones of states that change by themselves; others are facts, like the failure of a job. */
const passing: readonly Tone[] = ['running', 'busy', 'asleep'];

interface StateWordProps {
  readonly tone: Tone;
  /** It does not change by itself, whatever its tone. */
  readonly lasting?: boolean;
  /** The word; a `StateText` brings it with its tone. */
  readonly word?: string;
  readonly children?: string;
}

/** The shape and the word of a state. While the daemon does not answer: of the last known state. */
export function StateWord({ tone, lasting = false, word = '', children = word }: StateWordProps) {
  const outdated = useDashboard(isStale) && passing.includes(tone) && !lasting;
  const shown = outdated ? 'offline' : tone;
  return (
    <span className={`state-word tone-${shown}`}>
      <StateMark tone={shown} />
      {outdated ? `was ${children.charAt(0).toLowerCase()}${children.slice(1)}` : children}
    </span>
  );
}

const shapes = {
  running: <circle cx="8" cy="8" r="5.5" fill="currentColor" />,
  busy: (
    <>
      <circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" strokeWidth="1.8" />
      <path d="M8 3a5 5 0 0 1 0 10Z" fill="currentColor" />
    </>
  ),
  failed: (
    <>
      <rect x="2" y="2" width="12" height="12" rx="3" fill="currentColor" />
      <path d="m5.5 5.5 5 5m0-5-5 5" stroke="var(--surface)" strokeWidth="1.8" strokeLinecap="round" />
    </>
  ),
  asleep: <path d="M13 10.2A5.8 5.8 0 1 1 6.6 2.6a4.6 4.6 0 0 0 6.4 7.6Z" fill="currentColor" />,
  done: (
    <path
      d="m3 8.6 3.4 3.4L13 5"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  idle: <circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" strokeWidth="1.8" />,
  offline: (
    <circle cx="8" cy="8" r="5.2" fill="none" stroke="currentColor" strokeWidth="1.8" strokeDasharray="2.6 2.85" />
  ),
} as const;
