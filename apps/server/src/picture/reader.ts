import { AppError, type Picture } from '@parquetry/model'
import { existsSync, readFileSync } from 'node:fs'
import type { Settings } from '../settings/settings.ts'

type Reader = Pick<Picture, 'locale' | 'messages' | 'timeZone' | 'fonts'>

/** For whom a picture is drawn. @throws AppError `invalid_payload` for a zone that there is none of */
export function readerOf({ config, fonts }: Settings, timeZone = 'UTC'): Reader {
  try {
    Intl.DateTimeFormat('en', { timeZone })
  } catch (cause) {
    throw new AppError('invalid_payload', { message: `There is no time zone "${timeZone}".`, cause })
  }
  const locale = config.BABEL_DEFAULT_LOCALE.replace('_', '-')
  return { locale, messages: messagesIn(locale), timeZone, fonts }
}

const catalogues = new Map<string, Record<string, string>>()

/** The texts that pictures say in a language; without a catalogue of it they are said in English. */
function messagesIn(locale: string): Record<string, string> {
  const known = catalogues.get(locale)
  if (known) return known
  const files = ['picture', 'charts'].map(
    (area) => new URL(`../../../../messages/${area}.${locale}.json`, import.meta.url),
  )
  const texts = files.filter((file) => existsSync(file)).map((file) => JSON.parse(readFileSync(file, 'utf8')) as object)
  const messages = Object.assign({}, ...texts) as Record<string, string>
  catalogues.set(locale, messages)
  return messages
}
