import { checkTheme } from '@parquetry/charts'
import { maxThemeLength, message } from '@parquetry/model'
import { describeThemeError } from '../theme/read-body.ts'
import { createFieldReader, formatAlreadyExists } from './fields.ts'
import type { ImportContext } from './import-bundle.ts'

const protectedTheme = message(
  'errors.bundle.systemTheme',
  'This theme is defined by the configuration, or it is the system’s default or dark theme. An import cannot replace it.',
)

/** Imports a theme without its unsafe tokens. The themes of dashboards are added if they are missing, and never replaced. */
export async function importTheme(
  document: Record<string, unknown>,
  path: string,
  context: ImportContext,
): Promise<void> {
  const { db, ids, authorId, at, problems } = context
  const fields = createFieldReader(document, path)
  const uuid = fields.required('uuid')
  const found = await db.selectFrom('theme').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  const isMain = context.mainFolder === 'themes' || context.mainFolder === 'all'
  if (found && !isMain) {
    ids.themes.set(uuid, found.id)
    return
  }
  if (!found && !context.mayAddThemes) return
  if (found && !context.overwrite) {
    problems[path] = formatAlreadyExists('Theme')
    return
  }
  if (found && [found.is_system, found.is_system_default, found.is_system_dark].includes(1)) {
    problems[path] = { _schema: [protectedTheme] }
    return
  }
  const theme_name = fields.required('theme_name').trim().slice(0, 250)
  const data = document['json_data']
  let value: unknown = data
  try {
    if (typeof data === 'string') value = JSON.parse(data)
  } catch {
    value = undefined
  }
  const read = checkTheme(value)
  if (read.error || theme_name === '') {
    problems[path] = read.error
      ? { json_data: [describeThemeError(read.error)] }
      : { theme_name: [message('errors.theme.name', 'Theme name cannot be empty.')] }
    return
  }
  const json_data = JSON.stringify(read.theme)
  if (json_data.length > maxThemeLength) {
    problems[path] = {
      json_data: [message('errors.fields.tooLong', 'Longer than maximum length {max}.', { max: maxThemeLength })],
    }
    return
  }
  const row = { theme_name, json_data, changed_on: at, changed_by_fk: authorId }
  if (found) {
    await db.updateTable('theme').set(row).where('id', '=', found.id).execute()
    ids.themes.set(uuid, found.id)
    return
  }
  const creation = {
    uuid,
    is_system: 0,
    is_system_default: 0,
    is_system_dark: 0,
    created_on: at,
    created_by_fk: authorId,
  }
  const { id } = await db
    .insertInto('theme')
    .values({ ...row, ...creation })
    .returning('id')
    .executeTakeFirstOrThrow()
  ids.themes.set(uuid, id)
}
