import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { pages } from '../../../daemon/contract/dashboard-pages.ts';
import { hrefOf, type Page, type RailPage } from '../../navigation/route.ts';
import {
  ActivityIcon,
  AppsIcon,
  DarkIcon,
  HelpIcon,
  HomeIcon,
  LightIcon,
  ModelsIcon,
  RobotIcon,
  SettingsIcon,
  SystemIcon,
} from '../../parts/icons.tsx';
import { themes } from '../../parts/themes.ts';
import { ariaWithCtrl, withCtrl } from '../shortcuts/shortcut-text.ts';
import './rail.css';

const icons = {
  home: HomeIcon,
  robot: RobotIcon,
  apps: AppsIcon,
  models: ModelsIcon,
  activity: ActivityIcon,
  settings: SettingsIcon,
} as const satisfies Record<RailPage, unknown>;

export function Rail({ current }: { readonly current: Page }) {
  return (
    <div className="rail">
      <nav aria-label="Pages">
        <ul className="stack rail-pages">
          {pages.map(({ page, label }, index) => {
            const Icon = icons[page];
            const digit = String(index + 1);
            return (
              <li key={page}>
                <a
                  className="rail-item"
                  href={hrefOf(page)}
                  aria-current={page === current ? 'page' : undefined}
                  aria-keyshortcuts={ariaWithCtrl(digit)}
                  title={`${label} (${withCtrl(digit)})`}
                >
                  <Icon size={20} />
                  <span className="rail-label">{label}</span>
                </a>
              </li>
            );
          })}
        </ul>
        <a className="rail-item rail-help" href={hrefOf('help')} aria-current={current === 'help' ? 'page' : undefined}>
          <HelpIcon size={20} />
          <span className="rail-label">Help</span>
        </a>
      </nav>
      <ThemeToggle />
    </div>
  );
}

const themeIcons = { auto: SystemIcon, light: LightIcon, dark: DarkIcon } as const satisfies Record<
  MantineColorScheme,
  unknown
>;

/** Cycles through the themes. */
export function ThemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const at = themes.findIndex(({ value }) => value === colorScheme);
  const { value: next, label: nextLabel } = themes[(at + 1) % themes.length] ?? themes[0];
  const word = (themes[at] ?? themes[0]).label.toLowerCase();
  const action = `Theme: ${word}. Change to ${nextLabel.toLowerCase()}`;
  const Icon = themeIcons[colorScheme];
  return (
    <button type="button" className="rail-item" onClick={() => setColorScheme(next)} aria-label={action} title={action}>
      <Icon size={20} />
      <span className="rail-label">
        Theme<span className="rail-more">: {word}</span>
      </span>
    </button>
  );
}
