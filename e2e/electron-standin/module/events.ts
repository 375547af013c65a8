import type { EventEmitter } from 'node:events';

interface ElectronEvent {
  defaultPrevented: boolean;
  preventDefault(): void;
}

/** Emits as Electron does: the event itself, carrying its details, and then the arguments. */
export function emitEvent(
  emitter: EventEmitter,
  name: string,
  details: object = {},
  ...args: unknown[]
): ElectronEvent {
  const event = {
    ...details,
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
  };
  emitter.emit(name, event, ...args);
  return event;
}

/** Refuses listeners to events that the stand-in does not know: an app would wait for them in vain. */
export function knowsOnly(emitter: EventEmitter, events: readonly string[]): void {
  emitter.on('newListener', (name: string) => {
    if (!events.includes(name)) throw new Error(`The Electron stand-in has no event '${name}'.`);
  });
}
