import type { TextValues } from '@parquetry/ui'
import { createIntl, createIntlCache } from 'react-intl'
import { boot } from './boot.ts'

/** Texts of other languages by area; English is in the code. `messages/<area>.<language>.json` (BCP 47), loaded before the first paint. */
const catalogues = import.meta.glob<Record<string, string>>(
  ['../../../../messages/*.*.json', '!../../../../messages/*.en.json'],
  {
    import: 'default',
  },
)

const language = boot.common.locale.replace('_', '-')

async function loadMessages(): Promise<Record<string, string>> {
  if (language === 'en') return {}
  const wanted = Object.entries(catalogues).filter(([path]) => path.endsWith(`.${language}.json`))
  return Object.assign({}, ...(await Promise.all(wanted.map(([, load]) => load())))) as Record<string, string>
}

/** The one intl object; React gets it by provider, everything else uses `t`. */
export const intl = createIntl(
  {
    locale: language,
    defaultLocale: 'en',
    messages: await loadMessages(),
    // English stands in the code: a text that is not translated yet is no error.
    onError: (error) => {
      if (error.code !== 'MISSING_TRANSLATION') throw error
    },
  },
  createIntlCache(),
)

/** A text outside React; inside, `useText()`. */
export const t = (id: string, text: string, values?: TextValues): string =>
  intl.formatMessage({ id, defaultMessage: text }, values)
