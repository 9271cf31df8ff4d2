/** A result as it was kept: `json` an answer of the API as it stands, `frames` our messages, the answer's head first. */
export interface CachedResult {
  form: 'json' | 'frames'
  /** Its bytes as they come. @throws AppError `gone` when it was taken away since it was found */
  read(): AsyncIterable<Uint8Array>
}

/** Larger ones are not kept. */
export const maxCachedBytes = 16 << 20

/** Results by key, for a day. */
export interface ResultStore {
  /**
   * Keeps a result, whole or not at all.
   * @param key  a uuid that nobody can guess
   * @throws AppError `disk_full`; whatever else the disk says that does not take it
   */
  save(key: string, form: CachedResult['form'], parts: readonly Uint8Array[]): Promise<void>
  /** Null for a key that is over or never was. */
  find(key: string): Promise<CachedResult | null>
  /** Takes away what nobody can ask for any more, and of the rest the oldest until it fits. */
  prune(totalBytes?: number): Promise<void>
}
