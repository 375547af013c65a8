import { CloseButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { InstalledApp } from '../../../daemon/contract/apps/apps.ts';
import type { AppRun } from '../../../daemon/contract/apps/runs.ts';
import type { Job } from '../../../daemon/contract/jobs.ts';
import { hrefOf } from '../../navigation/route.ts';
import { SmallButton } from '../../parts/actions/buttons.tsx';
import { StateMark, type Tone } from '../../parts/notes/StateWord.tsx';
import { runOf, titleOf } from '../../slices/apps/apps-slice.ts';
import { unseenCrashOfApp } from '../../slices/apps/crashes.ts';
import { useDashboard, useDashboardStore } from '../../store/use-dashboard.ts';
import { openFailureOf } from '../activity/install-jobs.ts';
import { CrashNote } from '../run/CrashNote.tsx';
import { isWaiting, RunDetail } from '../run/RunNotes.tsx';
import { isFailure, killedRunOf } from '../run/run-text.ts';
import { UpdateFailure } from '../versions/UpdateFailure.tsx';

/** The parts of a card that a message takes, so that the card keeps its height and no other one moves. */
export interface CardMessage {
  /** In the place of the description; undefined: that stays. */
  readonly text?: ReactNode;
  /** In the place of the last line; undefined: that stays. */
  readonly line?: ReactNode;
  /** Shown after a press, over what is below the card. */
  readonly details?: ReactNode;
}

/**
 * The message on the card of an app: what its run waits for; a crash that nobody has seen, or that it was force-stopped, if
 * it ran last of all; a failed update.
 * @param app undefined: it is not installed
 */
export function useCardMessage(app: InstalledApp | undefined): CardMessage {
  const name = app?.name ?? '';
  const store = useDashboardStore();
  const { run, crash, killed, failedUpdate } = useDashboard(
    useShallow((s) => ({
      run: runOf(s.slot, name),
      crash: unseenCrashOfApp(name)(s),
      killed: killedRunOf(s.slot, name),
      failedUpdate: app && openFailureOf(s, app),
    })),
  );
  const [opened, setOpened] = useState<string | null>(null);
  if (!app) return {};
  if (run && isWaiting(run)) return { text: <RunDetail run={run} className="app-card-text two-lines small muted" /> };
  const news = crash
    ? runNews(crash, () => void store.getState().markCrashSeen(crash.runId))
    : killed
      ? runNews(killed, null)
      : failedUpdate && updateNews(app, failedUpdate, () => store.getState().dismiss(failedUpdate.id));
  if (!news) return {};
  const open = opened === news.key;
  return {
    ...(!open && { text: <NewsText news={news} /> }),
    line: <NewsLine name={name} news={news} open={open} onOpen={(to) => setOpened(to ? news.key : null)} />,
    details: open ? news.details : null,
  };
}

/** Something that has happened to an app. */
interface News {
  readonly key: string;
  readonly tone: Tone;
  /** In a sentence. */
  readonly text: string;
  /** Where to read on. */
  readonly link: { readonly title: string; readonly href: string };
  /** null: it goes with the next run. */
  readonly dismiss: { readonly name: string; readonly onDismiss: () => void } | null;
  readonly details: ReactNode;
}

function runNews(run: AppRun, onDismiss: (() => void) | null): News {
  return {
    key: run.runId,
    tone: isFailure(run) ? 'failed' : 'idle',
    text: run.diagnosis?.message ?? run.message,
    link: { title: 'See its output', href: hrefOf('apps', { appName: run.appName, tab: 'runs', run: run.runId }) },
    dismiss: onDismiss && { name: 'Dismiss this message', onDismiss },
    details: <CrashNote run={run} />,
  };
}

function updateNews(app: InstalledApp, { id, failure }: Job, onDismiss: () => void): News | null {
  if (!failure) return null;
  return {
    key: id,
    tone: 'failed',
    text: failure.message,
    link: { title: 'See the log', href: hrefOf('activity') },
    dismiss: { name: 'Dismiss this failure', onDismiss },
    details: <UpdateFailure app={app} />,
  };
}

function NewsText({ news: { tone, text } }: { readonly news: News }) {
  return (
    <p className="app-card-text app-card-news" title={text}>
      <StateMark tone={tone} />
      <span className="two-lines">{text}</span>
    </p>
  );
}

interface NewsLineProps {
  readonly name: string;
  readonly news: News;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
}

function NewsLine({ name, news: { link, dismiss }, open, onOpen }: NewsLineProps) {
  const title = useDashboard((s) => titleOf(s, name));
  return (
    <div className="app-card-meta app-card-news-line">
      <a href={link.href}>{link.title}</a>
      <SmallButton aria-expanded={open} aria-label={`Details of ${title}`} onClick={() => onOpen(!open)}>
        Details
      </SmallButton>
      {dismiss && <CloseButton size="sm" aria-label={dismiss.name} title={dismiss.name} onClick={dismiss.onDismiss} />}
    </div>
  );
}
