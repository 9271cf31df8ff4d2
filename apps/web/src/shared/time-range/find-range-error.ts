import { api } from '../api.ts'
import { messageOf } from '../errors.ts'

/** Returns why the server does not accept a range text; null for a valid one. */
export async function findRangeError(text: string): Promise<string | null> {
  try {
    await api.get('/api/v1/time_range/', { q: text })
    return null
  } catch (error) {
    return messageOf(error)
  }
}
