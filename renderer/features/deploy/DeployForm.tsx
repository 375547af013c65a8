import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { DaemonError } from '../../../daemon/client/daemon-error.ts';
import type { DeployConfig } from '../../../daemon/contract/endpoints/deploy.ts';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { LinkButton, SendButton, SmallButton } from '../../parts/actions/buttons.tsx';
import { type CopiedAction, CopyMenu } from '../../parts/actions/CopyMenu.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { refusalOf } from '../../slices/base/commands.ts';
import { namespaceOf } from '../../slices/daemon/session-slice.ts';
import { useAskAgain, useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { NotificationSwitches } from '../notifications/NotificationSwitches.tsx';
import { useTyped } from '../output/OutputFilter.tsx';
import {
  canSleep,
  configOf,
  type DeployField,
  type DeployProblems,
  type DeployValues,
  defaultValues,
  notificationsOf,
  otherProblems,
  problemsAt,
  problemsOf,
  type WantedNotifications,
} from './deploy-form.ts';
import { nameHelp, takenText } from './deploy-text.ts';
import { AccessField, PrivateServiceFields, ReplicaFields } from './EndpointFields.tsx';

interface DeployFormProps {
  readonly suggestedName: string;
  /** The catalog's model; null: a file of this machine. */
  readonly modelId: string | null;
  /** Why no deploy is offered now, in a few words; null: it may succeed. */
  readonly blockedReason?: string | null;
  /** @returns whether the endpoint was created */
  readonly onDeploy: (config: DeployConfig, notifications: WantedNotifications | undefined) => Promise<boolean>;
  readonly onClose: () => void;
  /** The deploy, to be copied; absent: it is more than one call. */
  readonly actionOf?: (config: DeployConfig) => CopiedAction;
}

/** Validates while the user types, by the daemon's own schema. */
export function DeployForm({
  suggestedName,
  modelId,
  blockedReason = null,
  onDeploy,
  onClose,
  actionOf,
}: DeployFormProps) {
  const [values, setValues] = useState(() => defaultValues(suggestedName));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const form = useRef<HTMLFormElement>(null);
  const problems = useProblems(values);
  const refusal = useDashboard(refusalOf('deploy'));
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  // Endpoints of a remote catalog's service run there.
  const hasNotifications = useDashboard((s) => modelId === null || s.catalogSource?.kind !== 'remote');
  const refusedAt = problemsAt(refusal?.issues ?? []);
  useEffect(() => () => dismissRefusal('deploy'), [dismissRefusal]);

  function change(next: Partial<DeployValues>): void {
    dismissRefusal('deploy');
    setValues({ ...values, ...next });
    setTouched(new Set([...touched, ...Object.keys(next)]));
  }
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (blockedReason !== null) return;
    setTouched(new Set(Object.keys(values)));
    if (Object.keys(problems).length > 0) {
      form.current?.querySelector<HTMLElement>(`[name="${Object.keys(problems)[0]}"]`)?.focus();
      return;
    }
    if (!(await onDeploy(configOf(values), notificationsOf(values)))) return;
    onClose();
    navigate(
      hrefOf('models', { tab: 'endpoints', query: new URLSearchParams({ made: values.name.trim() }).toString() }),
    );
  }

  // The notifications are a call of their own.
  const isOneCall = Object.keys(problems).length === 0 && notificationsOf(values) === undefined;
  const errorOf = (field: DeployField) => (touched.has(field) ? problems[field] : undefined) ?? refusedAt[field];
  const text = (field: 'name' | 'minReplica' | 'maxReplica' | 'scaleToZeroTimeout' | 'accountId') => ({
    size: 'md',
    name: field,
    value: values[field],
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      change({ [field]: currentTarget.value }),
    error: errorOf(field),
    errorProps: { role: 'alert' },
    autoComplete: 'off',
    spellCheck: false,
  });
  return (
    <form className="stack deploy-form" ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <TextInput {...text('name')} label="Name" description={nameHelp} classNames={{ input: 'mono' }} data-autofocus />
      <AccessField type={values.type} onChoose={(type) => change({ type })} error={errorOf('type')} />
      {values.type === 'private' && (
        <PrivateServiceFields values={values} accountId={text('accountId')} onChange={change} />
      )}
      <ReplicaFields field={text} sleeps={canSleep(values)} />
      {hasNotifications && (
        <NotificationSwitches
          chosen={values.notifications}
          onChange={(notifications) => change({ notifications })}
          onLeave={onClose}
        />
      )}
      {refusal && <DeployRefusal refusal={refusal} modelId={modelId} onClose={onClose} />}
      <div className="row dialog-actions">
        <span className="muted small" role="status">
          {blockedReason}
        </span>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <SendButton commandKey="deploy" busy="Deploying…" primary type="submit" disabled={blockedReason !== null}>
          Deploy
        </SendButton>
        {actionOf && isOneCall && <CopyMenu of="this form" actions={[actionOf(configOf(values))]} />}
      </div>
    </form>
  );
}

/** Validates the form, and asks the daemon whether the name is taken. */
function useProblems(values: DeployValues): DeployProblems {
  const problems = problemsOf(values);
  const name = useTyped(values.name);
  const namespace = useDashboard(namespaceOf);
  // The endpoints of a remote catalog's service are not listed here.
  const isLocal = useDashboard((s) => s.catalogSource?.kind !== 'remote');
  const asked = isLocal && problems.name === undefined && name === values.name.trim() ? name : null;
  // A failure is not shown: the deploy itself reports a taken name.
  const { value: taken } = useAsked(['name is taken', namespace, asked], async (call, signal) => {
    if (asked === null) return false;
    const query = { namespace, name: asked, state: undefined, page: 1, limit: 1 };
    return (await call('listOwnEndpoints', { query, signal })).matches > 0;
  });
  return taken ? { name: takenText(name), ...problems } : problems;
}

interface DeployRefusalProps {
  readonly refusal: DaemonError;
  /** The catalog's model; null: a file of this machine. */
  readonly modelId: string | null;
  readonly onClose: () => void;
}

/** Shows why a deploy failed or has an unknown result, with one action. Skips messages that fields show. */
function DeployRefusal({ refusal, modelId, onClose }: DeployRefusalProps) {
  const askAgain = useAskAgain();
  const { status, message, issues } = refusal;
  const others = otherProblems(issues);
  if (issues.length > 0 && others.length === 0) return null;
  function reloadModel(id: string): void {
    onClose();
    void askAgain('model', id);
  }
  return (
    <Note
      tone="failed"
      urgent
      title={message}
      actions={
        status === null ? (
          // Without a reply the endpoint may exist.
          <LinkButton href={hrefOf('models', { tab: 'endpoints' })} onClick={onClose}>
            Check the endpoints
          </LinkButton>
        ) : (
          modelId !== null &&
          (status === 404 || status === 409) && (
            <SmallButton onClick={() => reloadModel(modelId)}>
              {status === 404 ? 'See the recipes' : 'See what fits now'}
            </SmallButton>
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
