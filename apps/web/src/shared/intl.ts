import { createTranslator } from '@parquetry/model'
import type { I18n } from '@parquetry/ui'
import { boot } from './boot.ts'

/** Translations by area; English is in the code. `messages/<area>.<language>.json` (BCP 47), loaded before the first paint. */
const catalogs = import.meta.glob<Record<string, string>>(
  ['../../../../messages/*.*.json', '!../../../../messages/*.en.json', '!../../../../messages/errors.*.json'],
  {
    import: 'default',
  },
)

const language = boot.common.locale.replace('_', '-')

async function loadMessages(): Promise<Record<string, string>> {
  if (language === 'en') return {}
  const wanted = Object.entries(catalogs).filter(([path]) => path.endsWith(`.${language}.json`))
  return Object.assign({}, ...(await Promise.all(wanted.map(([, load]) => load())))) as Record<string, string>
}

const catalog = { locale: language, messages: await loadMessages() }

/** React receives them from a provider, everything else uses `t`. */
export const i18n: I18n = { ...catalog, translate: createTranslator(catalog) }

/** Translates text outside React; components use `useTranslate()`. */
export const t = i18n.translate
