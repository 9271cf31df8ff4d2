/** A stored result: `json` is a verbatim API response, `frames` are our messages, starting with the head of the response. */
export interface CachedResult {
  form: 'json' | 'frames'
  /** Streams the bytes. @throws AppError `gone` when the result was deleted after it was found */
  read(): AsyncIterable<Uint8Array>
}

/** Larger results are not stored. */
export const maxCachedBytes = 16 << 20

/** Stores results by key for one day. */
export interface ResultStore {
  /**
   * Stores a result, all or nothing.
   * @param key  an unguessable UUID
   * @throws AppError `disk_full`; other write errors of the disk unchanged
   */
  save(key: string, form: CachedResult['form'], parts: readonly Uint8Array[]): Promise<void>
  /** Null for an expired or unknown key. */
  find(key: string): Promise<CachedResult | null>
  /** Deletes expired results, then the oldest ones until the rest fits. */
  prune(totalBytes?: number): Promise<void>
}
