import { createTranslator, type AppError, type Messages, type Translate } from '@parquetry/model'
import { existsSync, readFileSync } from 'node:fs'
import type { Settings } from './settings.ts'

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

const errorTranslators = new Map<string, Translate>()

/** Returns the translator for error messages. Everything that leaves the server is in one language, that of the server. */
export function errorTranslator({ config }: Pick<Settings, 'config'>): Translate {
  const locale = config.BABEL_DEFAULT_LOCALE.replace('_', '-')
  const translate =
    errorTranslators.get(locale) ??
    createTranslator({ locale, messages: locale === 'en' ? {} : messagesIn(locale, ['errors']) })
  errorTranslators.set(locale, translate)
  return translate
}

/** Returns an error in the language of the server, for a response, a stream or a text that is stored. */
export const localizeError = (error: AppError, settings: Pick<Settings, 'config'>): AppError =>
  error.translate(errorTranslator(settings))
