import { Button } from '@mantine/core';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { endpointId } from '../../../daemon/contract/endpoints/endpoint-id.ts';
import { hrefOf } from '../../navigation/route.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { ChooseModelButton } from './ChooseModelButton.tsx';

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
            <Button
              component="a"
              variant="default"
              size="compact-sm"
              href={hrefOf('models', { endpointId: endpointId(endpoint) })}
            >
              See {endpointId(endpoint)}
            </Button>
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
