/** What a record was used for in this clone: the number of sessions for each. */
export interface RecordUse {
  /** Its title or its text was injected. */
  injected: number;
  /** It was opened as a whole. */
  fetched: number;
  /** One of its files was changed after that. */
  followed: number;
  /** When it was last injected or fetched, in milliseconds since 1970. */
  lastMs: number;
}
