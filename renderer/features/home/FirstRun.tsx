import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import type { SampleApp } from '../../../daemon/contract/apps/apps.ts';
import { hrefOf } from '../../navigation/route.ts';
import { SmallButton } from '../../parts/actions/buttons.tsx';
import { Segments } from '../../parts/forms/Segments.tsx';
import { Section } from '../../parts/Section.tsx';
import { themes } from '../../parts/themes.ts';
import { AppIcon } from '../../parts/tiles/AppIcon.tsx';
import { sampleOrigin } from '../apps/apps-text.ts';
import { InstallControl } from '../apps/InstallControl.tsx';
import { tour } from './first-run-text.ts';

/** One sample to try. */
export function FirstRun({ sample, primary }: { readonly sample: SampleApp; readonly primary: boolean }) {
  return (
    <Section title="Try your robot">
      <div className="home-app">
        <AppIcon app={sample} />
        <div className="home-app-text">
          <h3>{sample.title}</h3>
          <p className="muted small">{sample.description}</p>
        </div>
      </div>
      <div className="app-card-foot">
        <InstallControl installable={sample} primary={primary} tries />
        {sample.needsNetwork && <p className="app-card-meta">{sampleOrigin(sample)}</p>}
      </div>
    </Section>
  );
}

/** Where to go from the first screen, the theme, and what every page is for, if that is asked for. */
export function WhatElse() {
  const [opened, setOpened] = useState(false);
  const id = useId();
  return (
    <Section
      title="What else"
      beside={
        <SmallButton aria-expanded={opened} aria-controls={id} onClick={() => setOpened(!opened)}>
          {opened ? 'Hide the tour' : 'Show me around'}
        </SmallButton>
      }
    >
      <Tour id={id} opened={opened} />
      <ul className="row home-else">
        <li>
          <a href={hrefOf('apps', { tab: 'samples' })}>All samples</a>
        </li>
        <li>
          <a href={hrefOf('apps', { tab: 'discover' })}>Discover apps</a>
        </li>
        <li>
          <a href={hrefOf('apps', { tab: 'create' })}>Create your own</a>
        </li>
        <li>
          <a href={hrefOf('models')}>Models</a>
        </li>
      </ul>
      <ThemeChoice />
    </Section>
  );
}

function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className="row">
      {/* The group has the name, too. */}
      <span className="muted small" aria-hidden="true">
        Theme
      </span>
      <Segments legend="Theme" choices={themes} chosen={colorScheme} onChoose={setColorScheme} />
    </div>
  );
}

/** A small screen may end above it, so it is scrolled to. */
function Tour({ id, opened }: { readonly id: string; readonly opened: boolean }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (opened) section.current?.scrollIntoView({ block: 'nearest' });
  }, [opened]);
  return (
    <section ref={section} id={id} aria-label="What is where" hidden={!opened}>
      <dl className="facts">
        {tour.map(({ page, label, text }) => (
          <div key={page}>
            <dt>
              <a href={hrefOf(page)}>{label}</a>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
