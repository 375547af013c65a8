import type { EventEmitter } from 'node:events';

/** What Electron passes to every listener first. */
export class StandInEvent {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

/** Emits as Electron does: the event itself, carrying its details, and then the arguments. */
export function emitEvent(emitter: EventEmitter, name: string, details: object = {}, ...args: unknown[]): StandInEvent {
  const event = Object.assign(new StandInEvent(), details);
  emitter.emit(name, event, ...args);
  return event;
}
