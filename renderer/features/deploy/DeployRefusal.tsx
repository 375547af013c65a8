import { Button } from '@mantine/core';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import { hrefOf } from '../../navigation/route.ts';
import { Note } from '../../parts/notes/Note.tsx';
import { useAskAgain } from '../../store/use-asked.ts';
import { otherProblems } from './deploy-form.ts';

interface DeployRefusalProps {
  readonly refusal: DaemonError;
  /** The catalog's model; null: a file of this machine. */
  readonly modelId: string | null;
  readonly onClose: () => void;
}

/** Shows why a deploy failed or has an unknown result, with one action. Skips messages that fields show. */
export function DeployRefusal({ refusal, modelId, onClose }: DeployRefusalProps) {
  const askAgain = useAskAgain();
  const { status, message, issues } = refusal;
  const others = otherProblems(issues);
  if (issues.length > 0 && others.length === 0) return null;
  function reloadModel(id: string): void {
    onClose();
    askAgain('model', id);
  }
  return (
    <Note
      tone="failed"
      urgent
      title={message}
      actions={
        status === null ? (
          // Without a reply the endpoint may exist.
          <Button
            component="a"
            href={hrefOf('models', { tab: 'endpoints' })}
            variant="default"
            size="compact-sm"
            onClick={onClose}
          >
            Check the endpoints
          </Button>
        ) : (
          modelId !== null &&
          (status === 404 || status === 409) && (
            <Button variant="default" size="compact-sm" onClick={() => reloadModel(modelId)}>
              {status === 404 ? 'See the recipes' : 'See what fits now'}
            </Button>
          )
        )
      }
    >
      {others.map(({ path, message: text }) => (
        <p key={`${path.join('.')} ${text}`}>{text}</p>
      ))}
    </Note>
  );
}
