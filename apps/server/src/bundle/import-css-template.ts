import { exportCssTemplate } from './export-documents.ts'
import { createFieldReader } from './fields.ts'
import type { KindImporter } from './import-scope.ts'
import { pickOtherFields } from './other-fields.ts'

const knownFields = ['template_name', 'css', 'uuid', 'version']

function readContent(document: Record<string, unknown>, path: string) {
  const fields = createFieldReader(document, path)
  return {
    template_name: fields.required('template_name').slice(0, 250),
    css: fields.text('css'),
    other_fields: pickOtherFields(document, knownFields),
  }
}

export const cssTemplateImporter: KindImporter<ReturnType<typeof readContent>> = {
  kind: 'css_template',
  read: readContent,

  async readStored(db, { id }) {
    const row = await db.selectFrom('css_template').selectAll().where('id', '=', id).executeTakeFirst()
    return row && readContent(exportCssTemplate(row), '')
  },

  async create(content, identity, { db, authorId, at }) {
    const audit = { created_on: at, created_by_fk: authorId, changed_on: at, changed_by_fk: authorId }
    const { id } = await db
      .insertInto('css_template')
      .values({ ...content, ...identity, ...audit })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },

  async replace(content, { id }, { db, authorId, at }) {
    await db
      .updateTable('css_template')
      .set({ ...content, changed_on: at, changed_by_fk: authorId })
      .where('id', '=', id)
      .execute()
  },
}
