import { pages } from '../../../daemon/contract/dashboard-pages.ts';
import type { Page } from '../../navigation/route.ts';

/** A sentence for each page. */
const sentences: Readonly<Record<Page, string>> = {
  home: 'The robot, what runs, and what needs you.',
  robot: 'Wake it, put it to sleep, and play its moves.',
  apps: 'Install apps, start one, and write your own.',
  models: 'Find AI models that fit this machine, and run them for your apps.',
  activity: 'What was installed, updated and checked, with the reasons of failures.',
  settings: 'The theme, the startup app, and who may use this robot.',
  help: 'Check this installation, and report a problem.',
};

/** All that the rail leads to. */
const places: readonly { readonly page: Page; readonly label: string }[] = [...pages, { page: 'help', label: 'Help' }];
export const tour = places.map(({ page, label }) => ({ page, label, text: sentences[page] }));
