import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TargetPart } from '../../contract/robot/robot.ts';
import type { AppPackage } from './app-packages.ts';

/** An app in the style of those in the survey, and the signs that it does its work. */
export interface StrangerApp {
  readonly name: string;
  readonly className: string;
  /** The packages that it leans on, of those that come with the SDK. */
  readonly libraries: readonly string[];
  readonly robot: 'simulation' | 'emulator';
  readonly moves: readonly TargetPart[];
  /** A line of each is in its output. */
  readonly prints: readonly RegExp[];
  /** The lines of its error output; there must be no other. */
  readonly warns: readonly RegExp[];
  readonly static?: Readonly<Record<string, string>>;
  /** It stops itself. */
  readonly ends?: true;
}

const withoutHub = /^The hub cannot be reached \(.*\), and the dataset someone\/\S+ is not on this machine\. /;
const base = { libraries: [], robot: 'simulation', warns: [] } as const;

export const strangerApps: readonly StrangerApp[] = [
  {
    ...{ ...base, name: 'conversation', className: 'Conversation', libraries: ['numpy'] },
    moves: ['head', 'antennas'],
    prints: [/rates 16000 16000$/, /simulated robot$/, /turn 2, frame None$/],
    warns: [/^INFO conversation: /, /^WARNING robot: The media backend "default_no_video" has no camera: /],
  },
  {
    ...{ ...base, name: 'dance_player', className: 'DancePlayer', robot: 'emulator' },
    moves: ['head', 'antennas', 'bodyYaw'],
    prints: [/^15 moves$/, /^cheerful$/, /^playing \w+ \(\d+\.\d s\): \S/],
    warns: [withoutHub, withoutHub],
  },
  {
    ...{ ...base, name: 'breathing', className: 'IdleRobot', libraries: ['numpy'], robot: 'emulator' },
    moves: ['head', 'antennas'],
    prints: [/^emotion$/],
    warns: [withoutHub],
  },
  {
    ...{ ...base, name: 'face_follower', className: 'FaceFollower', libraries: ['numpy'] },
    moves: ['head', 'antennas'],
    prints: [/^\d\d+ frames of \(480, 640, 3\), yaw -?\d/],
  },
  {
    ...{ ...base, name: 'antenna_theremin', className: 'Theremin', libraries: ['numpy'], robot: 'emulator' },
    moves: ['head', 'antennas'],
    prints: [/^soft antennas: \w+$/, /^\d+ Hz at \d/],
  },
  {
    ...{ ...base, name: 'rest_caller', className: 'RestCaller' },
    moves: ['head', 'antennas', 'bodyYaw'],
    prints: [/^daemon 0/, /^stopped: ./, /^motors enabled$/, /^volume True$/, /^state enabled 2$/, /^target ok$/],
  },
  {
    ...{ ...base, name: 'self_stopper', className: 'Show', ends: true },
    moves: ['antennas', 'bodyYaw'],
    prints: [/^the show is over$/],
  },
  {
    ...{ ...base, name: 'settings_panel', className: 'SettingsPanel', libraries: ['numpy', 'fastapi', 'uvicorn'] },
    moves: ['head', 'antennas'],
    prints: [/^panel ready$/],
    static: {
      'index.html': '<!doctype html><title>Panel</title><script src="/static/main.js"></script>',
      'main.js': '1',
    },
  },
  {
    ...{ ...base, name: 'own_arguments', className: 'Metronome', robot: 'emulator' },
    moves: ['antennas'],
    prints: [/^arguments: \[\]$/, /^tick$/, /^tock$/],
  },
  {
    ...{ ...base, name: 'wireless_init', className: 'Nodder' },
    moves: ['head'],
    prints: [/^wireless: False backend: no_media$/, /^here: True daemon: True$/, /^nod$/],
    warns: [/^The media backend "no_media" has no camera: /],
  },
  {
    ...{ ...base, name: 'own_robot', className: 'Sway', robot: 'emulator' },
    moves: ['head', 'antennas'],
    prints: [/^a simulated one$/, /^swayed$/],
  },
  {
    ...{ ...base, name: 'threads_everywhere', className: 'Threads' },
    moves: ['antennas', 'bodyYaw'],
    prints: [/^working on \w+1$/, /^working on more$/],
    warns: [withoutHub],
  },
];

/**
 * The package of such an app.
 * @param options.daemonUrl replaces the address that its author knows
 * @param options.baseline whether it gets its libraries with the SDK, without naming them
 */
export function strangerPackage(app: StrangerApp, options: { daemonUrl: string; baseline: boolean }): AppPackage {
  const source = readFileSync(join(import.meta.dirname, 'strangers', `${app.name}.py`), 'utf8');
  return {
    name: app.name,
    className: app.className,
    mainSource: source.replaceAll('http://localhost:8000', options.daemonUrl),
    baseline: options.baseline,
    dependencies: ['robot-sdk', ...(options.baseline ? [] : app.libraries)],
    ...(app.static && { static: app.static }),
  };
}
