import type { Messages } from '@parquetry/model'
import { existsSync, readFileSync } from 'node:fs'

const catalogs = new Map<string, Messages>()

/**
 * Messages of some areas of the catalog in a language. Missing ones are shown in English, which is in the code.
 * @param locale BCP 47 tag
 */
export function messagesIn(locale: string, areas: readonly string[]): Messages {
  const key = `${locale} ${areas.join(' ')}`
  const cached = catalogs.get(key)
  if (cached) return cached
  const files = areas.map((area) => new URL(`../../../../messages/${area}.${locale}.json`, import.meta.url))
  const texts = files.filter((file) => existsSync(file)).map((file) => JSON.parse(readFileSync(file, 'utf8')) as object)
  const messages = Object.assign({}, ...texts) as Messages
  catalogs.set(key, messages)
  return messages
}
