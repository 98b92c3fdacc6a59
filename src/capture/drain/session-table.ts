import type { SpooledEvent } from '../extract/turns.ts';
import { newSession, readSession, type SessionState, writeSession } from './session-state.ts';

/** The sessions that a drain works on, each read once and written at every change. */
export class SessionTable {
  /** Anything was written. */
  moved = false;
  private readonly folder: string;
  private readonly states = new Map<string, SessionState>();
  private readonly known = new Map<string, Set<string>>();

  constructor(folder: string) {
    this.folder = folder;
  }

  find(session: string): SessionState | undefined {
    return this.states.get(session) ?? readSession(this.folder, session);
  }

  /** The session of an event; a new one if it is the session's first. */
  of(session: string, first: SpooledEvent): SessionState {
    const state = this.find(session) ?? newSession(session, first.host, first.root);
    this.states.set(session, state);
    return state;
  }

  save(state: SessionState): void {
    this.note(state);
    this.moved = true;
  }

  /** Writes a change that is no progress, such as a missing answer. */
  note(state: SessionState): void {
    writeSession(this.folder, state);
    this.states.set(state.session, state);
    this.known.set(state.session, new Set(state.seen));
  }

  /** Hashes of the event keys that were acknowledged. */
  seen(session: string): Set<string> {
    const known = this.known.get(session) ?? new Set(this.find(session)?.seen ?? []);
    this.known.set(session, known);
    return known;
  }
}
