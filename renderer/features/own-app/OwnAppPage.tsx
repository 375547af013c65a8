import type { OwnApp } from '../../../daemon/contract/apps/own-apps.ts';
import { hrefOfOwnApps } from '../../navigation/own-app-address.ts';
import { hrefOf } from '../../navigation/route.ts';
import { PrimaryLink } from '../../parts/actions/buttons.tsx';
import { BackLink } from '../../parts/BackLink.tsx';
import { EmptyState } from '../../parts/notes/EmptyState.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { PageTabs } from '../../parts/PageTabs.tsx';
import { ownAppById } from '../../slices/apps/own-apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { OutputPanel } from '../app/OutputPanel.tsx';
import { CheckPanel } from './CheckPanel.tsx';
import { OwnAppSummary } from './OwnAppSummary.tsx';
import { noOutputYet, notListedText } from './own-app-page-text.ts';
import { PublishPanel } from './PublishPanel.tsx';
import '../app/app-page.css';
import './own-app.css';

export interface OwnAppPageProps {
  readonly id: string;
  readonly tab: string | null;
  /** `publish=` opens the dialog that publishes. */
  readonly query: string;
}

/** The page of an app that the user writes: runs it from its folder, checks it, publishes it. */
export function OwnAppPage({ id, tab, query }: OwnAppPageProps) {
  const app = useDashboard(ownAppById(id));
  return (
    <>
      <BackLink href={hrefOfOwnApps()}>Create</BackLink>
      <PageHeader title={app?.title ?? 'Your app'} />
      {app ? (
        <OwnAppDetail app={app} tab={tab} query={query} />
      ) : (
        <EmptyState
          title="It is not in the list of your apps"
          action={<PrimaryLink href={hrefOfOwnApps()}>See your apps</PrimaryLink>}
        >
          {notListedText}
        </EmptyState>
      )}
    </>
  );
}

const tabs = ['output', 'check', 'publish'] as const;

function OwnAppDetail({ app, tab, query }: Omit<OwnAppPageProps, 'id'> & { readonly app: OwnApp }) {
  const { id, name, title, check } = app;
  const isInstalled = useDashboard((s) => s.installedApps.some((each) => each.name === name));
  const findings = check?.findings.length ?? 0;
  return (
    <>
      <OwnAppSummary app={app} />
      <PageTabs
        label={title}
        shown={tabs.find((each) => each === tab) ?? 'output'}
        hrefOf={(next) => hrefOf('apps', { ownAppId: id, tab: next })}
        tabs={{
          output: {
            title: 'Output',
            content:
              name !== null && isInstalled ? (
                <OutputPanel appName={name} />
              ) : (
                <p className="card muted">{noOutputYet}</p>
              ),
          },
          check: { title: findings > 0 ? `Check ${findings}` : 'Check', content: <CheckPanel app={app} /> },
          publish: { title: 'Publish', content: <PublishPanel app={app} query={query} /> },
        }}
      />
    </>
  );
}
