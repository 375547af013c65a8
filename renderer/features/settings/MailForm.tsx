import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import {
  MailRequest,
  type MailSecurity,
  type MailServer,
} from '../../../daemon/contract/notifications/mail-settings.ts';
import { problemAt } from '../../api/daemon-error.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { CodeInput } from '../../parts/forms/CodeInput.tsx';
import { RadioList } from '../../parts/forms/RadioList.tsx';
import { SecretIcon } from '../../parts/icons.tsx';
import { Note } from '../../parts/notes/Note.tsx';
import { isPending, refusalOf } from '../../slices/base/commands.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { lostTestText, mailHelp, mailReason, mailSecurities, noUserText, sentTestText } from './settings-text.ts';

interface MailFormProps {
  /** null: none is set up. */
  readonly saved: MailServer | null;
  /** The number of saves since the form is shown. */
  readonly saves: number;
  readonly onSaved: () => void;
  /** The server accepted a test mail. */
  readonly onAccepted: () => void;
  readonly onRemoved: () => void;
}

/** Sets up the mail server; validates while the user types, by the daemon's own schema. */
export function MailForm({ saved, saves, onSaved, onAccepted, onRemoved }: MailFormProps) {
  const [values, setValues] = useState(() => valuesOf(saved));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const form = useRef<HTMLFormElement>(null);
  const send = useDashboard((s) => s.send);
  const dismissRefusal = useDashboard((s) => s.dismissRefusal);
  const refusal = useDashboard(refusalOf('mail', ['save']));
  const { pending, blocked } = useCommand('mail');
  const saving = useDashboard(isPending('mail', 'save'));
  useEffect(() => () => dismissRefusal('mail'), [dismissRefusal]);
  const problems = problemsOf(values);
  const changed = isChanged(values, saved);

  function change(next: MailValues): void {
    dismissRefusal('mail');
    const fields = (Object.keys(next) as MailField[]).filter((field) => next[field] !== values[field]);
    setTouched(new Set([...touched, ...fields]));
    setValues(next);
  }
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const [invalid] = Object.keys(problems);
    if (invalid !== undefined) {
      setTouched(new Set(Object.keys(values)));
      form.current?.querySelector<HTMLElement>(`[name="${invalid}"]`)?.focus();
      return;
    }
    if (!(await send('mail', (call) => call('setMailSettings', { body: requestOf(values) }), 'save'))) return;
    setValues((now) => ({ ...now, password: '' }));
    setTouched(new Set());
    onSaved();
  }

  const errorOf = (field: MailField) => (touched.has(field) ? problems[field] : undefined) ?? problemAt(refusal, field);
  const text = (field: Exclude<MailField, 'security'>) => ({
    size: 'md' as const,
    name: field,
    value: values[field],
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      change({ ...values, [field]: currentTarget.value }),
    error: errorOf(field),
  });
  const isAtField = refusal?.issues.some(({ path }) => String(path[0]) in values) ?? false;
  return (
    <form className="stack" ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <CodeInput {...text('host')} label="Mail server" description={mailHelp.host} placeholder="mail.example.org" />
      <RadioList
        legend="Encryption"
        choices={mailSecurities}
        chosen={values.security}
        onChoose={(security) => change(withSecurity(values, security))}
      />
      <CodeInput {...text('port')} label="Port" inputMode="numeric" className="mail-port" />
      <CodeInput {...text('user')} label="User name" placeholder="None" description={mailHelp.user} />
      <CodeInput
        {...text('password')}
        type="password"
        label="Password of the mail server"
        placeholder={saved?.hasPassword ? 'Saved, not shown' : 'None'}
        leftSection={<SecretIcon size={16} />}
        description={mailHelp.password}
        autoComplete="new-password"
      />
      <CodeInput
        {...text('from')}
        type="email"
        label="Sender"
        placeholder="robot@example.org"
        description={mailHelp.from}
      />
      <CodeInput {...text('to')} type="email" label="Recipient" placeholder="you@example.org" />
      {refusal && !isAtField && <Refusal reason={refusal.message} />}
      <div className="row">
        <Button type="submit" variant="default" disabled={blocked || (saved !== null && !changed)}>
          {saving ? 'Saving…' : saved === null ? 'Save' : 'Save the changes'}
        </Button>
        <span className="muted small" role="status">
          {saved !== null && (changed ? 'Not saved yet.' : saves > 0 && !pending && 'Saved.')}
        </span>
      </div>
      {saved !== null && (
        <MailActions key={saves} saved={saved} isUnsaved={changed} onAccepted={onAccepted} onRemoved={onRemoved} />
      )}
    </form>
  );
}

/** Brought into view: it appears above the buttons, which it may push out of it. */
function Result({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' }); // a browser may return a promise
  }, []);
  return <div ref={box}>{children}</div>;
}

function Refusal({ reason }: { readonly reason: string }) {
  const { what, action } = mailReason(reason);
  return (
    <Result>
      <Note tone="failed" urgent title={what}>
        {action !== null && <p> {action}</p>}
      </Note>
    </Result>
  );
}

interface MailActionsProps extends Pick<MailFormProps, 'onAccepted' | 'onRemoved'> {
  readonly saved: MailServer;
  readonly isUnsaved: boolean;
}

/** Sends a test mail with the saved settings, or forgets them. The result of a test is that of the settings as they were. */
function MailActions({ saved, isUnsaved, onAccepted, onRemoved }: MailActionsProps) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const send = useDashboard((s) => s.send);
  const refusal = useDashboard(refusalOf('mail', ['test', 'remove']));
  const { blocked } = useCommand('mail');
  async function test(): Promise<void> {
    setSentTo(null);
    const sent = await send('mail', (call) => call('sendTestMail'), 'test');
    if (!sent) return;
    setSentTo(sent.to);
    onAccepted();
  }
  async function remove(): Promise<void> {
    if (await send('mail', (call) => call('removeMailSettings'), 'remove')) onRemoved();
  }
  return (
    <>
      {refusal && <Refusal reason={refusal.message} />}
      {sentTo !== null && !refusal && !isUnsaved && (
        <div role="status">
          <Result>
            <Note tone="done" title={sentTestText(sentTo)}>
              <p>{lostTestText}</p>
            </Note>
          </Result>
        </div>
      )}
      <div className="row">
        <SendButton
          commandKey="mail"
          command="test"
          busy="Sending a test mail…"
          size="sm"
          disabled={blocked || isUnsaved}
          onClick={() => void test()}
          copies={callAction('Send a test mail', 'sendTestMail')}
        >
          Send a test mail
        </SendButton>
        <SendButton
          size="sm"
          disabled={blocked}
          onClick={() => void remove()}
          copies={callAction('Forget it', 'removeMailSettings')}
        >
          Forget {saved.host}
        </SendButton>
        {isUnsaved && <span className="muted small">{mailHelp.test}</span>}
      </div>
    </>
  );
}

/** The request as typed. An empty `user`: the server asks for none; an empty `password`: the saved one stays. */
type MailValues = Readonly<Record<Exclude<keyof MailRequest, 'security'>, string> & Pick<MailRequest, 'security'>>;
type MailField = keyof MailValues;
/** A message for each invalid field. */
type MailProblems = { readonly [F in MailField]?: string };

/** The usual port of each kind of encryption. */
const usualPorts: Readonly<Record<MailSecurity, string>> = { starttls: '587', tls: '465', none: '25' };

function valuesOf(mail: MailServer | null): MailValues {
  if (!mail)
    return { host: '', port: usualPorts.starttls, security: 'starttls', user: '', password: '', from: '', to: '' };
  const { host, port, security, user, from, to } = mail;
  return { host, port: String(port), security, user: user ?? '', password: '', from, to };
}

/** Another encryption; its usual port replaces the usual port of the one before. */
function withSecurity(values: MailValues, security: MailSecurity): MailValues {
  const port = values.port === usualPorts[values.security] ? usualPorts[security] : values.port;
  return { ...values, security, port };
}

/** The request, not validated. */
function requestOf({ host, port, security, user, password, from, to }: MailValues): MailRequest {
  return {
    host: host.trim(),
    port: /^\d{1,5}$/.test(port.trim()) ? Number(port.trim()) : 0,
    security,
    user: user.trim() === '' ? null : user.trim(),
    ...(password !== '' && { password }),
    from: from.trim(),
    to: to.trim(),
  };
}

/** Validates the form by the daemon's schema. */
function problemsOf(values: MailValues): MailProblems {
  const issues = MailRequest.safeParse(requestOf(values)).error?.issues ?? [];
  const found = issues.map(({ path, message }) => [String(path[0]), `Enter ${message}.`] as const);
  const noUser = values.password !== '' && values.user.trim() === '';
  const problems: MailProblems = Object.fromEntries(found.reverse());
  return noUser ? { ...problems, user: noUserText } : problems;
}

function isChanged(values: MailValues, mail: MailServer | null): boolean {
  const saved = valuesOf(mail);
  return (Object.keys(saved) as MailField[]).some((field) => values[field].trim() !== saved[field]);
}
