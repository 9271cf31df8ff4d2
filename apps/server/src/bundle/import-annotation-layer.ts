import { message } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import { exportAnnotationLayer } from './export-documents.ts'
import { createFieldReader, fileProblem } from './fields.ts'
import type { KindImporter, WriteScope } from './import-scope.ts'
import { pickOtherFields } from './other-fields.ts'
import { deriveUuid } from './source-ids.ts'

const knownFields = ['name', 'descr', 'annotations', 'uuid', 'version']
const storedTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?$/

function readAnnotation(document: Record<string, unknown>, path: string, layer: unknown) {
  const fields = createFieldReader(document, path)
  const time = (name: 'start_dttm' | 'end_dttm'): string => {
    const text = fields.required(name)
    if (!storedTime.test(text))
      throw fileProblem(path, { [name]: [message('errors.fields.datetime', 'Not a valid datetime.')] })
    return text
  }
  return {
    uuid: fields.text('uuid') ?? deriveUuid('annotation_layer', layer, document['short_descr']),
    short_descr: fields.required('short_descr').slice(0, 500),
    long_descr: fields.text('long_descr'),
    start_dttm: time('start_dttm'),
    end_dttm: time('end_dttm'),
    json_metadata: fields.json('json_metadata'),
  }
}

type Annotation = ReturnType<typeof readAnnotation>

function readContent(document: Record<string, unknown>, path: string) {
  const fields = createFieldReader(document, path)
  const annotations = fields.list('annotations').map((each) => readAnnotation(each, path, document['uuid']))
  const names = annotations.map(({ short_descr }) => short_descr)
  if (new Set(names).size < names.length)
    throw fileProblem(path, {
      annotations: [message('errors.annotation.nameTaken', 'Short description must be unique for this layer')],
    })
  return {
    name: fields.required('name').slice(0, 250),
    descr: fields.text('descr'),
    other_fields: pickOtherFields(document, knownFields),
    annotations,
  }
}

async function writeAnnotations(layer_id: number, annotations: readonly Annotation[], scope: WriteScope) {
  const { db, authorId, at, yielder } = scope
  const audit = { created_on: at, created_by_fk: authorId, changed_on: at, changed_by_fk: authorId }
  for (const annotation of annotations) {
    const other = await db.selectFrom('annotation').select('id').where('uuid', '=', annotation.uuid).executeTakeFirst()
    await db
      .insertInto('annotation')
      .values({ ...annotation, ...(other && { uuid: randomUUID() }), layer_id, ...audit })
      .execute()
    await yielder.yieldIfDue()
  }
}

/** Imports an annotation layer with its annotations, which replace those that it has. */
export const annotationLayerImporter: KindImporter<ReturnType<typeof readContent>> = {
  kind: 'annotation_layer',
  read: readContent,

  async readStored(db, { id }) {
    const row = await db.selectFrom('annotation_layer').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) return undefined
    const annotations = await db.selectFrom('annotation').selectAll().where('layer_id', '=', id).orderBy('id').execute()
    return readContent(exportAnnotationLayer(row, annotations), '')
  },

  async create({ annotations, ...row }, identity, scope) {
    const { db, authorId, at } = scope
    const { id } = await db
      .insertInto('annotation_layer')
      .values({ ...row, ...identity, created_on: at, created_by_fk: authorId, changed_on: at, changed_by_fk: authorId })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAnnotations(id, annotations, scope)
    return id
  },

  async replace({ annotations, ...row }, { id }, scope) {
    const { db, authorId, at } = scope
    await db
      .updateTable('annotation_layer')
      .set({ ...row, changed_on: at, changed_by_fk: authorId })
      .where('id', '=', id)
      .execute()
    await db.deleteFrom('annotation').where('layer_id', '=', id).execute()
    await writeAnnotations(id, annotations, scope)
  },
}
