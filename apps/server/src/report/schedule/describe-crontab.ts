import { createRequire } from 'node:module'
import type Cronstrue from 'cronstrue'

const load = createRequire(import.meta.url)

/**
 * A valid cron expression in words, such as "At 09:00 AM, only on Monday".
 * @param locale  BCP 47 tag; English is used for languages that are not known
 */
export function describeCrontab(crontab: string, locale: string): string {
  const [language = 'en', region] = locale.split(/[-_]/)
  const module = load(language === 'en' ? 'cronstrue' : 'cronstrue/i18n') as typeof Cronstrue
  const { locales } = module.default
  const known = [`${language}_${region}`, language].find((name) => Object.hasOwn(locales, name))
  try {
    return module.default.toString(crontab.trim(), { locale: known ?? 'en' })
  } catch {
    return crontab
  }
}
