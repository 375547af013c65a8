import type { OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { Elapsed } from '../../parts/Times.tsx';
import { runOf } from '../../slices/apps/apps-slice.ts';
import { isBeingStopped } from '../../slices/apps/own-apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { beingStopped, ownAppState } from './own-app-text.ts';

/** The state of an own app, with the elapsed time of its run. */
export function OwnAppState({ app }: { readonly app: OwnApp }) {
  const slot = useDashboard((s) => s.slot);
  const stopping = useDashboard(isBeingStopped(app));
  const state = stopping ? beingStopped : ownAppState(app, slot);
  const run = app.run.state === 'running' && app.name !== null ? runOf(slot, app.name) : null;
  return (
    <span className="row app-state">
      <StateWord {...state} lasting={app.run.state === 'off' && state.tone !== 'running'} />
      {run?.state === 'running' && <Elapsed since={run.since} />}
    </span>
  );
}
