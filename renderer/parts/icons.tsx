import {
  IconActivity,
  IconArrowDown,
  IconArrowLeft,
  IconCopy,
  IconDeviceDesktop,
  IconDownload,
  IconFolderPlus,
  IconHome,
  IconLayoutGrid,
  IconMoon,
  IconPlayerPlay,
  IconPlayerStop,
  IconRobot,
  IconSettings,
  IconSun,
  type TablerIcon,
} from '@tabler/icons-react';

/** One set, one stroke. An icon stands beside a word or inside something that has a name, so it is never read out. */
function house(Icon: TablerIcon) {
  return ({ size = 18 }: { readonly size?: number }) => <Icon size={size} stroke={1.5} aria-hidden="true" />;
}

export const HomeIcon = house(IconHome);
export const RobotIcon = house(IconRobot);
export const AppsIcon = house(IconLayoutGrid);
export const ActivityIcon = house(IconActivity);
export const LightIcon = house(IconSun);
export const DarkIcon = house(IconMoon);
export const SystemIcon = house(IconDeviceDesktop);
export const StartIcon = house(IconPlayerPlay);
export const StopIcon = house(IconPlayerStop);
export const SettingsIcon = house(IconSettings);
export const InstallIcon = house(IconDownload);
export const FolderIcon = house(IconFolderPlus);
export const BackIcon = house(IconArrowLeft);
export const DownIcon = house(IconArrowDown);
export const CopyIcon = house(IconCopy);
export const WakeIcon = house(IconSun);
export const SleepIcon = house(IconMoon);
