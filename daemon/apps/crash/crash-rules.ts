import type { CrashRule } from './crash-rule.ts';
import { aroundRules } from './crash-rules-around.ts';
import { codeRules } from './crash-rules-code.ts';

/** The first one that fits counts. */
export const crashRules: readonly CrashRule[] = [...codeRules, ...aroundRules];

/** Mistakes in the very code that handles an exception: what was handled is not why the app crashed. */
export const slips =
  /^(?:NameError|UnboundLocalError|AttributeError|TypeError|KeyError|IndexError|ZeroDivisionError|AssertionError)\b/;

/** What to install for a module whose package has another name. */
export const packageOf: ReadonlyMap<string, string> = new Map([
  ['bs4', 'beautifulsoup4'],
  ['cv2', 'opencv-python'],
  ['dotenv', 'python-dotenv'],
  ['PIL', 'pillow'],
  ['serial', 'pyserial'],
  ['skimage', 'scikit-image'],
  ['sklearn', 'scikit-learn'],
  ['usb', 'pyusb'],
  ['yaml', 'pyyaml'],
  ['zmq', 'pyzmq'],
]);
