import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { findRealPrograms } from './scripts/environment/real-programs.ts';

findRealPrograms();

const systemChromium = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = process.env['CHROMIUM_PATH'] ?? systemChromium.find((path) => existsSync(path));

/** Only this machine is reachable; evil.test resolves to it, as after DNS rebinding. */
const resolverRules = 'MAP evil.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './scripts/prepare-tests.ts',
  // Deadlines for hangs, far above the time on a busy machine: no journey fails because the machine is slow.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  workers: 3, // more than cores, since journeys wait more than they compute
  forbidOnly: Boolean(process.env['CI']),
  use: {
    screenshot: 'only-on-failure',
    // Recording a trace takes a sixth of the journeys' processor time. A failure leaves a screenshot and the page's content.
    trace: process.env['E2E_TRACE'] ? { mode: 'retain-on-failure', screenshots: false } : 'off',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        // Keep the browser from calling home, in addition to Playwright's own switches.
        '--disable-client-side-phishing-detection',
        '--disable-domain-reliability',
        '--disable-sync',
        '--no-pings',
        `--host-resolver-rules=${resolverRules}`,
      ],
    },
  },
  projects: [
    { name: 'web', testIgnore: 'electron/**', use: { browserName: 'chromium' } },
    // Needs Electron's binary, or ELECTRON_OVERRIDE_DIST_PATH=e2e/electron-standin.
    { name: 'electron', testDir: 'e2e/electron', fullyParallel: true },
  ],
});
