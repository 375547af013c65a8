import {
  IconActivity,
  IconArrowDown,
  IconArrowLeft,
  IconChevronDown,
  IconChevronRight,
  IconCopy,
  IconDeviceDesktop,
  IconDiamond,
  IconDownload,
  IconHeart,
  IconHome,
  IconLayoutGrid,
  IconLock,
  IconMoon,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlus,
  IconRefresh,
  IconRobot,
  IconSearch,
  IconSettings,
  IconSun,
  IconTrash,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react';

/** One set, one stroke. An icon stands beside a word or inside something that has a name, so it is never read out. */
function house(Icon: TablerIcon) {
  return ({ size = 18 }: { readonly size?: number }) => <Icon size={size} stroke={1.5} aria-hidden="true" />;
}

export const HomeIcon = house(IconHome);
export const RobotIcon = house(IconRobot);
export const AppsIcon = house(IconLayoutGrid);
export const ModelsIcon = house(IconDiamond);
export const ActivityIcon = house(IconActivity);
export const LightIcon = house(IconSun);
export const DarkIcon = house(IconMoon);
export const SystemIcon = house(IconDeviceDesktop);
export const StartIcon = house(IconPlayerPlay);
export const StopIcon = house(IconPlayerStop);
export const SettingsIcon = house(IconSettings);
export const InstallIcon = house(IconDownload);
export const AddIcon = house(IconPlus);
export const RefreshIcon = house(IconRefresh);
export const SearchIcon = house(IconSearch);
export const LikeIcon = house(IconHeart);
export const SecretIcon = house(IconLock);
export const RemoveIcon = house(IconTrash);
export const BackIcon = house(IconArrowLeft);
export const DownIcon = house(IconArrowDown);
export const CopyIcon = house(IconCopy);
export const WakeIcon = house(IconSun);
export const SleepIcon = house(IconMoon);
export const PauseIcon = house(IconPlayerPause);
export const ClosedIcon = house(IconChevronRight);
export const OpenIcon = house(IconChevronDown);
export const ClearIcon = house(IconX);
