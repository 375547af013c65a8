import { useEffect } from 'react';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { endpointId } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { hrefOf } from '../../navigation/route.ts';
import { useFocusWhenShown } from '../../parts/focus/use-focus-when-shown.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { SmallButton } from '../../parts/SmallButton.tsx';
import { refusedStartOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { ChooseModelButton } from './ChooseModelButton.tsx';

/** Shows the daemon's reason for a refused start, with what to do. */
export function StartRefusal({ name }: { readonly name: string }) {
  const refusal = useDashboard(refusalOf(`start ${name}`));
  const dismiss = useDashboard((s) => s.dismissRefusal);
  // Only apps started by the daemon can be replaced.
  const running = useDashboard((s) =>
    s.slot.state !== 'free' && s.slot.holder.kind === 'managed-app' ? s.slot.holder.appName : null,
  );
  if (!refusal) return null;
  if (refusal.code === 'endpoint-paid') return <PaidChoice name={name} message={refusal.message} />;
  if (refusal.unmet) {
    return <UnmetNeedNote name={name} refusal={refusal} onDismiss={() => dismiss(`start ${name}`)} />;
  }
  if (refusal.status === 409 && running !== null && running !== name) {
    return <ReplaceStart name={name} running={running} />;
  }
  return (
    <Note
      tone="failed"
      urgent
      title={refusal.message}
      dismiss={{ name: 'Dismiss this message', onDismiss: () => dismiss(`start ${name}`) }}
      actions={
        <>
          {refusal.status === 503 && <a href={hrefOf('robot')}>See the robot</a>}
          {refusal.status === 404 && <a href={hrefOf('apps', { tab: 'samples' })}>See the samples</a>}
        </>
      }
    />
  );
}

/** Asks before a start wakes an endpoint that costs money. The message has the price. */
function PaidChoice({ name, message }: { readonly name: string; readonly message: string }) {
  const asked = useDashboard(refusedStartOf(name));
  const startApp = useDashboard((s) => s.startApp);
  const restartApp = useDashboard((s) => s.restartApp);
  const dismiss = useDashboard((s) => s.dismissRefusal);
  const pending = useDashboard(isPending(`start ${name}`));
  const confirm = () =>
    asked === 'restart'
      ? restartApp(name, { wakePaid: true })
      : startApp(name, { replace: asked.includes('replace'), wakePaid: true });
  return (
    <ConfirmNote
      question={message}
      answer="Wake and start"
      pending={pending}
      onConfirm={() => void confirm()}
      onCancel={() => dismiss(`start ${name}`)}
    />
  );
}

/** Asks before another app is stopped for this one. */
function ReplaceStart({ name, running }: { readonly name: string; readonly running: string }) {
  const wakePaid = useDashboard(refusedStartOf(name)).includes('wakePaid');
  const startApp = useDashboard((s) => s.startApp);
  const dismiss = useDashboard((s) => s.dismissRefusal);
  const pending = useDashboard(isPending(`start ${name}`));
  return (
    <ReplaceChoice
      running={running}
      pending={pending}
      onReplace={() => void startApp(name, { replace: true, wakePaid })}
      onCancel={() => dismiss(`start ${name}`)}
    />
  );
}

interface UnmetNeedNoteProps {
  readonly name: string;
  /** The refusal of a start, which names the need. */
  readonly refusal: DaemonError;
  readonly onDismiss: () => void;
}

/** Says which need keeps the app from starting, and leads to the place where that is put right. */
export function UnmetNeedNote({ name, refusal, onDismiss }: UnmetNeedNoteProps) {
  const { need, label, endpoint } = needAction(refusal);
  return (
    <Note
      tone="failed"
      urgent
      title={withoutPlace(refusal.message)}
      dismiss={{ name: 'Dismiss this message', onDismiss }}
      actions={
        <>
          {endpoint && (
            <SmallButton component="a" href={hrefOf('models', { endpointId: endpointId(endpoint) })}>
              See {endpointId(endpoint)}
            </SmallButton>
          )}
          <ChooseModelButton appName={name} need={need} label={label} />
        </>
      }
    />
  );
}

/** The sentence without its advice to go to the app's page: the button says it, also on that page. */
const withoutPlace = (message: string): string => message.replace(/ Choose [\w ]{1,20} on the app's page\.$/, '');

/** The button for the need that keeps an app from starting, and whether its endpoint is to be looked after. */
function needAction({ code, unmet }: DaemonError) {
  const isThere = code === 'endpoint-paused' || code === 'endpoint-failed';
  const label = code === 'need-unassigned' ? 'Choose a model' : 'Choose another endpoint';
  return { need: unmet?.need ?? '', label, endpoint: isThere ? (unmet?.endpoint ?? null) : null };
}

interface ReplaceChoiceProps {
  /** The name of the app that would be stopped. */
  readonly running: string;
  /** The question and its answer, if the running app is the same one. */
  readonly same?: { readonly question: string; readonly answer: string } | undefined;
  /** The answer is sent and not answered yet. */
  readonly pending: boolean;
  readonly onReplace: () => void;
  readonly onCancel: () => void;
}

/** Asks before another app is stopped for this one. */
export function ReplaceChoice({ running, same, pending, onReplace, onCancel }: ReplaceChoiceProps) {
  const title = useDashboard((s) => titleOf(s, running));
  const stopping = useDashboard((s) => s.slot.state === 'stopping');
  return (
    <ConfirmNote
      question={same?.question ?? `${title} is ${stopping ? 'stopping' : 'running'}.`}
      answer={same?.answer ?? `Replace ${title}`}
      {...{ pending, onCancel }}
      onConfirm={onReplace}
    />
  );
}

interface ConfirmNoteProps {
  readonly question: string;
  /** The label of the button that confirms. */
  readonly answer: string;
  /** The answer is sent and not answered yet. */
  readonly pending: boolean;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks before a start has a consequence, and takes the focus. */
export function ConfirmNote({ question, answer, pending, onConfirm, onCancel }: ConfirmNoteProps) {
  const box = useFocusWhenShown<HTMLDivElement>();
  const connected = useDashboard(isConnected);
  // It may open below the visible part of the page.
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [box]);
  return (
    <div ref={box}>
      <Note
        tone="busy"
        urgent
        title={question}
        actions={
          <>
            <SmallButton disabled={!connected || pending} loading={pending} onClick={onConfirm}>
              {answer}
            </SmallButton>
            <SmallButton onClick={onCancel}>Cancel</SmallButton>
          </>
        }
      />
    </div>
  );
}
