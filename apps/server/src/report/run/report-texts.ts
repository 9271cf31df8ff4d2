import { createTranslator, type Message, type Translate, translateMessage } from '@parquetry/model'
import { messagesIn } from '../../settings/messages.ts'
import type { Settings } from '../../settings/settings.ts'

const translators = new Map<string, Translate>()

/** Returns the translator for messages that reports send and reasons in their log: the language of the server. */
export function reportTranslator({ config }: Pick<Settings, 'config'>): Translate {
  const locale = config.BABEL_DEFAULT_LOCALE.replace('_', '-')
  const known = translators.get(locale)
  if (known) return known
  const translate = createTranslator({
    locale,
    messages: locale === 'en' ? {} : messagesIn(locale, ['errors', 'report']),
  })
  translators.set(locale, translate)
  return translate
}

/** A reason as it is stored in the log. */
export const toText = (reason: string | Message, settings: Pick<Settings, 'config'>): string =>
  translateMessage(reason, reportTranslator(settings))
