import { Button } from '@mantine/core';
import { useState } from 'react';
import type { EndpointLifeEvent } from '../../../daemon/contract/endpoints/endpoint-life.ts';
import { Foreign } from '../../parts/Foreign.tsx';
import { StateMark, type Tone } from '../../parts/notes/StateWord.tsx';
import { TimeAgo } from '../../parts/Times.tsx';

/** The number of events shown at first. */
const SHOWN = 8;

/** The events in the life of an endpoint with their causes, newest first. */
export function LifeList({ life }: { readonly life: readonly EndpointLifeEvent[] }) {
  const [all, setAll] = useState(false);
  const events = life.toReversed();
  return (
    <section className="card" aria-labelledby="endpoint-life">
      <h2 id="endpoint-life">Events</h2>
      {events.length === 0 && <p className="muted small">None yet since events are kept.</p>}
      <ol className="life" aria-labelledby="endpoint-life">
        {(all ? events : events.slice(0, SHOWN)).map(({ at, kind, cause }) => (
          <li className="life-event" key={`${at} ${kind} ${cause}`}>
            <span className={`life-kind tone-${texts[kind].tone}`}>
              <StateMark tone={texts[kind].tone} />
              {texts[kind].word}
            </span>
            <Foreign as="span" className="life-cause">
              {cause}
            </Foreign>
            <span className="muted small">
              <TimeAgo at={at} />
            </span>
          </li>
        ))}
      </ol>
      {events.length > SHOWN && (
        <Button variant="default" size="compact-sm" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${events.length}`}
        </Button>
      )}
    </section>
  );
}

const texts: Readonly<Record<EndpointLifeEvent['kind'], { readonly word: string; readonly tone: Tone }>> = {
  created: { word: 'created', tone: 'done' },
  starting: { word: 'starting', tone: 'busy' },
  waking: { word: 'waking', tone: 'busy' },
  ready: { word: 'ready', tone: 'running' },
  asleep: { word: 'asleep', tone: 'asleep' },
  changed: { word: 'changed', tone: 'done' },
  scaled: { word: 'scaled', tone: 'done' },
  updateFailed: { word: 'update failed', tone: 'failed' },
  paused: { word: 'paused', tone: 'idle' },
  failed: { word: 'failed', tone: 'failed' },
  stopped: { word: 'stopped', tone: 'idle' },
};
