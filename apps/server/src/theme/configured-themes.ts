import { checkTheme } from '@parquetry/charts'
import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { Config } from '../settings/config.ts'
import type { Tables } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'

/** Settings with a theme, which is stored under the name of the setting. */
const names = ['THEME_DEFAULT', 'THEME_DARK'] as const

/** Stores the themes of the configuration, so that lists show them. They can be neither changed nor deleted there. */
export async function storeConfiguredThemes(
  db: Kysely<Tables>,
  config: Pick<Config, (typeof names)[number]>,
  now: Date,
): Promise<void> {
  for (const theme_name of names) {
    const read = checkTheme(config[theme_name] ?? {})
    const json_data = JSON.stringify(read.error ? {} : read.theme)
    const at = formatStoredTime(now)
    const found = await db
      .selectFrom('theme')
      .select(['id', 'json_data'])
      .where('is_system', '=', 1)
      .where('theme_name', '=', theme_name)
      .executeTakeFirst()
    if (!found)
      await db
        .insertInto('theme')
        .values({
          uuid: randomUUID(),
          theme_name,
          json_data,
          is_system: 1,
          is_system_default: 0,
          is_system_dark: 0,
          created_on: at,
          changed_on: at,
          created_by_fk: null,
          changed_by_fk: null,
        })
        .execute()
    else if (found.json_data !== json_data)
      await db.updateTable('theme').set({ json_data, changed_on: at }).where('id', '=', found.id).execute()
  }
}
