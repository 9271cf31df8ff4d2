import Type, { type Static } from 'typebox'
import { openObject, body, id, optional, MessageBody, text } from './fields.ts'
import { defineRoute } from './route.ts'
import { type FileColumn, maxFileColumns, uploadFormats, type FilePreview, type FileStyle } from './table-file/guess.ts'
import { fileEncodings } from './table-file/encoding.ts'
import { fileTypes, timeFormats } from './table-file/types.ts'

export type { FileColumn, UploadFormat, FilePreview, FileStyle } from './table-file/guess.ts'
export type { FileType } from './table-file/types.ts'

const oneOf = <const T extends readonly string[]>(names: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...names] })

const style = {
  format: oneOf(uploadFormats),
  delimiter: text(1, 1),
  quote: text(1, 1),
  encoding: oneOf(fileEncodings),
  header: Type.Boolean(),
  skip: Type.Integer({ minimum: 0, maximum: 100_000 }),
  decimal: oneOf(['.', ',']),
  nulls: Type.Array(text(0, 100), { maxItems: 50 }),
  sheet: Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 255 }),
}
const Style = body(style)
const FileStyleOverrides = Type.Partial(body(style), { additionalProperties: false })

const Column = body({
  source: Type.Unsafe<number | string>({ type: ['integer', 'string'], minimum: 0, maxLength: 1000 }),
  name: text(1, 120),
  type: oneOf(fileTypes),
  format: Type.Unsafe<FileColumn['format']>({ type: ['string', 'null'], enum: ['iso', ...timeFormats, null] }),
})

/** What is to be made of a file that has been sent. */
export const UploadLoadRequest = body({
  table_name: text(1, 120),
  /** Null: the database of uploads, made when there is none. */
  database: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  already_exists: oneOf(['fail', 'replace', 'append']),
  /** Of `replace`: the typed text (LIST-024). */
  overwrite: optional(Type.String()),
  style: Style,
  width: Type.Integer({ minimum: 1, maximum: maxFileColumns }),
  columns: Type.Array(Column, { minItems: 1, maxItems: maxFileColumns }),
  /** Columns whose values may become null where they are not of the column's type; lines that do not fit may be left out. */
  consent: body({ values: Type.Array(text(1, 120), { maxItems: maxFileColumns }), lines: Type.Boolean() }),
})
export type UploadLoadRequest = Static<typeof UploadLoadRequest>

export interface BadColumn {
  name: string
  type: FileColumn['type']
  count: number
}
export interface BadValue {
  /** Line of a text file, else the number of the record; from 1. */
  line: number
  /** Null: the whole line does not fit. */
  column: string | null
  value: string
}

/** The outcome of loading a file. `written` false: nothing was, because something needs consent. */
export interface FileLoadResult {
  written: boolean
  rows: number
  bad: BadColumn[]
  /** Lines that have too many or too few values, or that cannot be read. */
  badLines: number
  samples: BadValue[]
}

/** A file that a runner reads, at a place of ours. */
export interface FileToLoad {
  path: string
  style: FileStyle
  width: number
  columns: FileColumn[]
  /**
   * `values`: `usual` takes the usual words for no value as none, and no other value that does not fit. `lines`: `short` fills
   * lines that are too short, and takes no other that does not fit.
   */
  consent: { values: readonly string[] | 'usual'; lines: boolean | 'short' }
  /** Records read at most. */
  limit?: number
}
export interface FilePreviewRequest {
  path: string
  format: FileStyle['format']
  told: Partial<FileStyle>
}

export type UploadPhase = 'receiving' | 'received' | 'loading' | 'refused' | 'ready' | 'failed'

export interface UploadState {
  id: string
  state: UploadPhase
  size: number
  received: number
  /** Of loading, 0 to 100. */
  progress: number
  database_id: number | null
  table_name: string | null
  dataset_id: number | null
  result: FileLoadResult | null
  error: string | null
}

const State = Type.Unsafe<UploadState>(Type.Object({ id: Type.String() }, { additionalProperties: true }))
const FilePreviewReply = Type.Unsafe<FilePreview>(Type.Object({}, { additionalProperties: true }))

const sending = { can: 'signed-in', csrf: 'token', errors: 'plain' } as const
const own = {
  ...sending,
  params: Type.Object({ id: Type.String() }),
  object: 'the caller’s own uploads only',
} as const

/** Files sent in parts that can be taken up after a cut, then loaded by a job. */
export const uploadRoutes = {
  targets: defineRoute({
    ...sending,
    method: 'GET',
    path: '/api/v1/upload/targets/',
    summary: 'Lists the databases that the caller may upload files to, the upload database first',
    body: 'none',
    reply: openObject({
      result: Type.Array(openObject({ id: Type.Integer(), database_name: Type.String() })),
      /** The database of uploads is not there yet, and would be made. */
      makes: Type.Boolean(),
      max_bytes: Type.Integer(),
    }),
    object: 'none',
    rate: 'read',
    audit: 'none',
    fails: ['forbidden'],
  }),
  taken: defineRoute({
    ...sending,
    method: 'GET',
    path: '/api/v1/upload/taken/',
    summary: 'Returns whether a table exists and whether the caller may replace it',
    query: Type.Object({ table_name: Type.String(), database: optional(id()) }),
    body: 'none',
    reply: openObject({ taken: Type.Boolean(), may_replace: Type.Boolean() }),
    object: 'the caller may upload files to the database',
    rate: 'read',
    audit: 'none',
    fails: ['forbidden', 'not_found'],
  }),
  begin: defineRoute({
    ...sending,
    method: 'POST',
    path: '/api/v1/upload/',
    summary: 'Starts an upload',
    body: body({ file_name: text(1, 1000), size: Type.Integer({ minimum: 0 }) }),
    reply: State,
    object: 'none',
    rate: 'write',
    audit: 'upload.begin',
    fails: ['forbidden', 'too_large', 'disk_full', 'unsupported_media', 'too_many'],
  }),
  part: defineRoute({
    ...own,
    method: 'PUT',
    path: '/api/v1/upload/:id',
    summary: 'Uploads bytes at an offset and returns how many bytes were received',
    query: Type.Object({ offset: Type.Integer({ minimum: 0 }) }),
    body: 'octets',
    reply: State,
    rate: 'query',
    audit: 'none',
    fails: ['not_found', 'conflict', 'too_large', 'disk_full'],
  }),
  state: defineRoute({
    ...own,
    method: 'GET',
    path: '/api/v1/upload/:id',
    summary: 'Returns the state and progress of an upload',
    body: 'none',
    reply: State,
    rate: 'read',
    audit: 'none',
    fails: ['not_found'],
  }),
  look: defineRoute({
    ...own,
    method: 'POST',
    path: '/api/v1/upload/:id/look',
    summary: 'Returns the columns, types and first records of an uploaded file',
    body: FileStyleOverrides,
    reply: FilePreviewReply,
    rate: 'query',
    audit: 'none',
    fails: ['not_found', 'unprocessable'],
  }),
  load: defineRoute({
    ...own,
    method: 'POST',
    path: '/api/v1/upload/:id/load',
    summary: 'Loads an uploaded file into a table with a dataset, in the background',
    body: UploadLoadRequest,
    reply: State,
    rate: 'write',
    audit: 'upload.load',
    bodyLimit: 4 << 20,
    fails: ['not_found', 'forbidden', 'conflict', 'unprocessable'],
  }),
  cancel: defineRoute({
    ...own,
    method: 'DELETE',
    path: '/api/v1/upload/:id',
    summary: 'Cancels an upload and deletes its file',
    body: 'none',
    reply: MessageBody,
    rate: 'write',
    audit: 'upload.cancel',
    fails: ['not_found'],
  }),
}
