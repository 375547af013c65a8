import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { StoreApp } from '../../daemon/contract/apps/store.ts';
import { writeJsonFile } from '../../daemon/shared/files/json-file.ts';
import { NO_HUB } from '../../daemon/testing/daemon/test-daemon.ts';
import { startBenchDaemon } from '../harness/bench-daemon.ts';
import { launchChromium } from '../harness/chromium.ts';
import { type Figure, row } from '../harness/figure.ts';
import { longestTask } from '../harness/page/main-thread.ts';
import { summary } from '../harness/samples.ts';

const APPS = 1_000;
const AIM_MS = 100;

/** Whether a large store slows the page down. */
export const largeStore: Figure = {
  name: 'large-store',
  measures: `the page's longest task while a store of ${APPS} apps is opened, scrolled, paged through and searched: processor time, and time by the clock`,
  beside: null,
  measure: async ({ quick }) => {
    await using browser = await launchChromium();
    const fetchedAt = new Date().toISOString();
    await using daemon = await startBenchDaemon(['--hub', NO_HUB], (dataDir) =>
      writeJsonFile(join(dataDir, 'store.json'), { hub: NO_HUB, fetchedAt, apps: Array.from({ length: APPS }, app) }),
    );
    const cpu: number[] = [];
    const wall: number[] = [];
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      const page = await browser.newPage();
      await page.goto(`${daemon.url}/#/`);
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      const { cpuMs, wallMs } = await longestTask(page, () => browse(page, daemon.url));
      cpu.push(cpuMs);
      wall.push(wallMs);
      await page.close();
    }
    const aim = () => ({ text: `≤ ${AIM_MS} ms`, most: AIM_MS });
    return [
      row('large store, longest task', 'ms', { ours: summary(cpu), beside: null }, aim),
      row('large store, longest task by the clock', 'ms', { ours: summary(wall), beside: null }),
    ];
  },
};

async function browse(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/#/apps?tab=discover`);
  await page.getByText('App 7', { exact: true }).waitFor();
  for (let step = 0; step < 20; step++) await page.mouse.wheel(0, 400);
  await page.getByRole('link', { name: 'Page 2', exact: true }).click();
  await page.getByText('App 70', { exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Search apps' }).pressSequentially('number 99');
  await page.getByText('App 99', { exact: true }).waitFor();
}

function app(_: unknown, index: number): StoreApp {
  const id = `author-${index % 40}/app-${index}`;
  const at = new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString();
  return {
    ...{ id, commit: null, url: `${NO_HUB}/spaces/${id}`, author: id.split('/')[0] ?? '', title: `App ${index}` },
    ...{ description: `An app for a robot, number ${index}. `.repeat(3), emoji: '🤖', likes: APPS - index },
    ...{ private: false, createdAt: at, updatedAt: at },
  };
}
