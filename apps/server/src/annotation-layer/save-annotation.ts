import { AppError, message, type AnnotationPost, type AnnotationPut } from '@parquetry/model'
import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import {
  changedBy,
  checkJson,
  toColumns,
  FieldErrorCollector,
  createdBy,
  unprocessableFields,
  type WriteContext,
  invalidPayload,
} from '../http/writing.ts'
import type { Tables } from '../store/tables.ts'
import { parseStoredTime, formatStoredTime } from '../store/time.ts'
import { change } from '../store/write.ts'
import type { AnnotationRow } from './annotation-resource.ts'

const isoTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?$/i

/** Converts ISO text to the stored time format in UTC; text without a zone is read as UTC. Undefined when invalid. */
function storedTime(text: string): string | undefined {
  const zone = isoTime.exec(text)
  const date = zone
    ? new Date(zone[1] === undefined ? `${text.replace(' ', 'T')}Z` : text.replace(' ', 'T'))
    : undefined
  return date && !Number.isNaN(date.getTime()) ? formatStoredTime(date) : undefined
}

/** Converts the times of a body to the stored format. @throws AppError `invalid_payload` */
function parseTimes(body: AnnotationPut): { start_dttm?: string; end_dttm?: string } {
  const errors = new FieldErrorCollector(invalidPayload)
  const times: { start_dttm?: string; end_dttm?: string } = {}
  for (const field of ['start_dttm', 'end_dttm'] as const) {
    const text = body[field]
    if (text === undefined) continue
    const time = storedTime(text)
    if (time === undefined) errors.add(field, message('errors.fields.datetime', 'Not a valid datetime.'))
    else times[field] = time
  }
  errors.throwIfAny()
  return times
}

const document = (db: Kysely<Tables>, id: number): Promise<object> =>
  db.selectFrom('annotation').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** @throws AppError `unprocessable` when the layer already has the name, or the end is before the start */
async function check(
  db: Kysely<Tables>,
  {
    layer_id,
    short_descr,
    start_dttm,
    end_dttm,
  }: Pick<AnnotationRow, 'layer_id' | 'short_descr' | 'start_dttm' | 'end_dttm'>,
  ownId: number | null,
): Promise<void> {
  const existing = await db
    .selectFrom('annotation')
    .select('id')
    .where('layer_id', '=', layer_id)
    .where('short_descr', '=', short_descr)
    .executeTakeFirst()
  if (existing && existing.id !== ownId)
    throw unprocessableFields({
      short_descr: [message('errors.annotation.nameTaken', 'Short description must be unique for this layer')],
    })
  if (end_dttm < start_dttm)
    throw unprocessableFields({
      start_dttm: [message('errors.annotation.endBeforeStart', 'End date must be after start date')],
    })
}

/** Echoes the body as the API does, with times as HTTP dates. */
function buildResult(body: AnnotationPut, times: { start_dttm?: string; end_dttm?: string }, layer: number): object {
  const dates = Object.entries(times).map(([field, time]) => [field, parseStoredTime(time).toUTCString()])
  return { ...body, ...Object.fromEntries(dates), layer }
}

/** @throws AppError `bad_request` when the layer does not exist */
export async function createAnnotation(context: WriteContext, layerId: number, body: AnnotationPost) {
  const { db, principal, now, event } = context
  checkJson(body, 'json_metadata')
  const times = parseTimes(body)
  const row = {
    long_descr: null,
    json_metadata: null,
    ...toColumns(body, ['long_descr', 'json_metadata']),
    short_descr: body.short_descr,
    start_dttm: times.start_dttm ?? '',
    end_dttm: times.end_dttm ?? '',
    layer_id: layerId,
    uuid: randomUUID(),
    ...createdBy(principal, now),
  }
  const history = { kind: 'annotation', uuid: row.uuid, author: principal.id, event, now }
  const id = await change(db, { ...history, document }, async (trx) => {
    const layer = await trx.selectFrom('annotation_layer').select('id').where('id', '=', layerId).executeTakeFirst()
    if (!layer)
      throw new AppError('bad_request', {
        message: message('errors.annotation.layerNotFound', 'Annotation layer not found.'),
      })
    await check(trx, row, null)
    const inserted = await trx.insertInto('annotation').values(row).returning('id').executeTakeFirstOrThrow()
    event.json = { id: inserted.id, layer: layerId }
    return inserted.id
  })
  return { id, taken: buildResult(body, times, layerId) }
}

export async function updateAnnotation(context: WriteContext, row: AnnotationRow, body: AnnotationPut) {
  const { db, principal, now, event } = context
  checkJson(body, 'json_metadata')
  const times = parseTimes(body)
  const changed = {
    ...toColumns(body, ['short_descr', 'long_descr', 'json_metadata']),
    ...times,
    ...changedBy(principal, now, row),
  }
  event.json = { id: row.id, layer: row.layer_id }
  const history = { kind: 'annotation', uuid: row.uuid, author: principal.id, event, now }
  await change(db, { ...history, document: (trx) => document(trx, row.id) }, async (trx) => {
    await check(trx, { ...row, ...changed }, row.id)
    await trx.updateTable('annotation').set(changed).where('id', '=', row.id).execute()
  })
  return buildResult(body, times, row.layer_id)
}
