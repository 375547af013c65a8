import { Button, Tabs } from '@mantine/core';
import type { InstalledApp } from '../../../daemon/contract/apps.ts';
import { EmptyState } from '../../parts/EmptyState.tsx';
import { BackIcon } from '../../parts/icons.tsx';
import { PageHeader } from '../../parts/PageHeader.tsx';
import { hrefOf, switchTab } from '../../parts/route.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { AppAbout } from './AppAbout.tsx';
import { AppState } from './AppCard.tsx';
import { AppControls } from './AppControls.tsx';
import { OutputPanel } from './OutputPanel.tsx';
import { RunNotes } from './RunNotes.tsx';
import './app-page.css';

export function AppPage({ name, tab }: { readonly name: string; readonly tab: string | null }) {
  const app = useDashboard((s) => s.installedApps.find((each) => each.name === name));
  return (
    <>
      <a className="app-back" href={hrefOf('apps')}>
        <BackIcon size={16} /> Apps
      </a>
      <PageHeader title={app?.title ?? name} />
      {app ? <AppDetail app={app} tab={tab} /> : <NotInstalled name={name} />}
    </>
  );
}

function AppDetail({ app, tab }: { readonly app: InstalledApp; readonly tab: string | null }) {
  const { name } = app;
  return (
    <>
      <section className="card app-summary" aria-label={name}>
        <div className="app-summary-line">
          <span className="app-emoji" aria-hidden="true">
            {app.emoji}
          </span>
          <div className="app-card-names">
            <p className="mono">{name}</p>
            <AppState name={name} />
          </div>
          <AppControls app={app} primary />
        </div>
        <RunNotes name={name} />
      </section>
      <Tabs
        value={tab === 'output' ? 'output' : 'about'}
        onChange={(next) => switchTab(hrefOf('apps', { appName: name, tab: next ?? 'about' }))}
        keepMounted={false}
      >
        <Tabs.List aria-label={name}>
          <Tabs.Tab value="about">About</Tabs.Tab>
          <Tabs.Tab value="output">Output</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="about">
          <AppAbout app={app} />
        </Tabs.Panel>
        <Tabs.Panel value="output">
          <OutputPanel appName={name} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function NotInstalled({ name }: { readonly name: string }) {
  return (
    <EmptyState
      title={`${name} is not installed`}
      action={
        <Button component="a" href={hrefOf('apps', { tab: 'samples' })}>
          See the samples
        </Button>
      }
    >
      It may have been removed, or the address has another name than the app.
    </EmptyState>
  );
}
