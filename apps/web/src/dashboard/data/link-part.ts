import { ApiError } from '@parquetry/client'
import { decodeRison, type DataMask } from '@parquetry/model'

/**
 * Why the filters of a link are missing: `gone` if they expired or cannot be read, `failed` if the server did not return them.
 */
export type MissingLinkFilters = 'gone' | 'failed'

/** A part of a link that was read; both are null if the link does not have it. */
export interface LinkPart<T> {
  value: T | null
  missing: MissingLinkFilters | null
}

/**
 * Reads one part of a link, once more if the server did not answer.
 * @param read returns null for a part that cannot be understood
 */
export async function readLinkPart<T>(
  key: string | undefined,
  read: (key: string) => Promise<T | null>,
): Promise<LinkPart<T>> {
  if (!key) return { value: null, missing: null }
  for (let attempt = 0; ; attempt++) {
    try {
      const value = await read(key)
      return { value, missing: value === null ? 'gone' : null }
    } catch (error) {
      if (isRefusal(error)) return { value: null, missing: 'gone' }
      if (attempt > 0) return { value: null, missing: 'failed' }
    }
  }
}

/** True if asking again would have the same result: unknown, expired, of another dashboard, or not for this user. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)

/** DASH-015: reads filters written into the URL. */
export function parseRisonMask(text: string | undefined): LinkPart<DataMask> {
  if (!text) return { value: null, missing: null }
  try {
    const value = decodeRison(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: value as unknown as DataMask, missing: null }
  } catch {
    // not Rison
  }
  return { value: null, missing: 'gone' }
}
