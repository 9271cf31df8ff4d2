import { checkTheme } from '@parquetry/charts'
import { maxThemeLength, message } from '@parquetry/model'
import { describeThemeError } from '../theme/read-body.ts'
import { exportTheme } from './export-documents.ts'
import { createFieldReader, fileProblem } from './fields.ts'
import { isSameContent } from './import-differences.ts'
import type { KindImporter, ReadScope } from './import-scope.ts'
import { pickOtherFields } from './other-fields.ts'

const protectedTheme = message(
  'errors.bundle.systemTheme',
  'This theme is defined by the configuration, or it is the system’s default or dark theme. An import cannot replace it.',
)

const knownFields = ['theme_name', 'json_data', 'uuid', 'version']

function parseData(data: unknown): unknown {
  if (typeof data !== 'string') return data
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

function readContent(document: Record<string, unknown>, path: string) {
  const theme_name = createFieldReader(document, path).required('theme_name').trim().slice(0, 250)
  if (theme_name === '')
    throw fileProblem(path, { theme_name: [message('errors.theme.name', 'Theme name cannot be empty.')] })
  const read = checkTheme(parseData(document['json_data']))
  if (read.error) throw fileProblem(path, { json_data: [describeThemeError(read.error)] })
  const json_data = JSON.stringify(read.theme)
  if (json_data.length > maxThemeLength)
    throw fileProblem(path, {
      json_data: [message('errors.fields.tooLong', 'Longer than maximum length {max}.', { max: maxThemeLength })],
    })
  return { theme_name, json_data, other_fields: pickOtherFields(document, knownFields) }
}

/** @throws AppError `unprocessable` for other contents of a theme of the configuration or the system */
async function refuseProtected({ db }: ReadScope, id: number, content: ThemeContent, path: string): Promise<void> {
  const row = await db.selectFrom('theme').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || ![row.is_system, row.is_system_default, row.is_system_dark].includes(1)) return
  if (!isSameContent(readContent(exportTheme(row), path), content))
    throw fileProblem(path, { _schema: [protectedTheme] })
}

type ThemeContent = ReturnType<typeof readContent>

/** Imports a theme without its unsafe tokens. */
export const themeImporter: KindImporter<ThemeContent> = {
  kind: 'theme',

  async read(document, path, scope, stored) {
    const content = readContent(document, path)
    if (stored) await refuseProtected(scope, stored.id, content, path)
    return content
  },

  async readStored(db, { id }) {
    const row = await db.selectFrom('theme').selectAll().where('id', '=', id).executeTakeFirst()
    return row && readContent(exportTheme(row), '')
  },

  async create(content, identity, { db, authorId, at }) {
    const creation = {
      ...identity,
      is_system: 0,
      is_system_default: 0,
      is_system_dark: 0,
      created_on: at,
      created_by_fk: authorId,
      changed_on: at,
      changed_by_fk: authorId,
    }
    const { id } = await db
      .insertInto('theme')
      .values({ ...content, ...creation })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },

  async replace(content, { id }, { db, authorId, at }) {
    await db
      .updateTable('theme')
      .set({ ...content, changed_on: at, changed_by_fk: authorId })
      .where('id', '=', id)
      .execute()
  },
}
