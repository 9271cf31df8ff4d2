import Type, { type Static } from 'typebox'
import { openObject, body, id, optional, MessageBody, text } from './fields.ts'
import { defineRoute } from './route.ts'
import { fileEncodings } from './table-file/encoding.ts'
import {
  type FileColumn,
  type FilePreview,
  type FileStyle,
  type LineCounts,
  uploadFormats,
} from './table-file/file-preview.ts'
import { maxFileColumns } from './table-file/guess.ts'
import { columnFormats, fileTypes } from './table-file/types.ts'

export type { FileColumn, UploadFormat, FilePreview, FileStyle } from './table-file/file-preview.ts'
export type { FileType } from './table-file/types.ts'

const oneOf = <const T extends readonly string[]>(names: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...names] })

const style = {
  format: oneOf(uploadFormats),
  delimiter: text(1, 1),
  quote: text(0, 1),
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
  format: Type.Unsafe<FileColumn['format']>({ type: ['string', 'null'], enum: [...columnFormats, null] }),
  exact: optional(Type.Boolean()),
})

/** Options for loading an uploaded file. */
export const UploadLoadRequest = body({
  table_name: text(1, 120),
  /** Null for the database of uploads, which is created if necessary. */
  database: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  already_exists: oneOf(['fail', 'replace', 'append']),
  /** Confirmation text typed for `replace` (LIST-024). */
  overwrite: optional(Type.String()),
  style: Style,
  width: Type.Integer({ minimum: 1, maximum: maxFileColumns }),
  columns: Type.Array(Column, { minItems: 1, maxItems: maxFileColumns }),
  /** Columns whose invalid values may become null; `lines` allows skipping invalid lines. */
  consent: body({ values: Type.Array(text(1, 120), { maxItems: maxFileColumns }), lines: Type.Boolean() }),
})
export type UploadLoadRequest = Static<typeof UploadLoadRequest>

export interface BadColumn {
  name: string
  type: FileColumn['type']
  count: number
}
export interface BadValue {
  /** Line of a text file, else the record number; from 1. */
  line: number
  /** Null if the whole line is invalid. */
  column: string | null
  value: string
}

/** Result of loading a file. With `written` false, nothing was written because consent is needed. */
export interface FileLoadResult {
  written: boolean
  rows: number
  bad: BadColumn[]
  /** With consent, short lines are filled and long ones skipped. */
  badLines: LineCounts
  samples: BadValue[]
}

/** A file for a runner to read, at a server-controlled path. */
export interface FileToLoad {
  path: string
  style: FileStyle
  width: number
  columns: FileColumn[]
  /**
   * `values`: `usual` reads the usual null words as null and accepts no other invalid value. `lines`: `short` pads short lines
   * and accepts no other invalid line.
   */
  consent: { values: readonly string[] | 'usual'; lines: boolean | 'short' }
  /** Maximum number of records to read. */
  limit?: number
}
export interface FilePreviewRequest {
  path: string
  format: FileStyle['format']
  givenStyle: Partial<FileStyle>
}

export type UploadPhase = 'receiving' | 'received' | 'loading' | 'refused' | 'ready' | 'failed'

export interface UploadState {
  id: string
  state: UploadPhase
  size: number
  received: number
  /** Loading progress, 0 to 100. */
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

const UploadedTable = openObject({
  database_id: Type.Integer(),
  database_name: Type.String(),
  table_name: Type.String(),
  /** Size in bytes; null for tables that were loaded before sizes were stored. */
  size: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  dataset_id: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  /** Number of charts on the dataset. */
  charts: Type.Integer(),
})
export type UploadedTable = Static<typeof UploadedTable>

/** Older tables may have longer names than new ones. */
const tableName = { database: Type.Integer(), table_name: text(1, 250) }

/** Resumable uploads in parts, followed by a loading job. */
export const uploadRoutes = {
  targets: defineRoute({
    ...sending,
    method: 'GET',
    path: '/api/v1/upload/targets/',
    summary: 'Lists the databases that the caller may upload files to, the upload database first',
    body: 'none',
    reply: openObject({
      result: Type.Array(openObject({ id: Type.Integer(), database_name: Type.String() })),
      /** The database of uploads does not exist yet and would be created. */
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
    fails: ['forbidden', 'not_found', 'unprocessable'],
  }),
  begin: defineRoute({
    ...sending,
    method: 'POST',
    path: '/api/v1/upload/',
    success: [201],
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
    success: [202],
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
  tables: defineRoute({
    ...sending,
    method: 'GET',
    path: '/api/v1/upload/tables/',
    summary: 'Lists the tables that the caller loaded from files or created from queries',
    body: 'none',
    reply: openObject({ result: Type.Array(UploadedTable) }),
    object: 'the caller’s own tables only',
    rate: 'read',
    audit: 'none',
    fails: ['forbidden'],
  }),
  renameTable: defineRoute({
    ...sending,
    method: 'PUT',
    path: '/api/v1/upload/table/',
    summary: 'Renames a table and its dataset',
    body: body({ ...tableName, new_name: text(1, 120) }),
    reply: MessageBody,
    object: 'the caller may change the table',
    rate: 'write',
    audit: 'upload.rename_table',
    fails: ['not_found', 'forbidden', 'conflict', 'unprocessable'],
  }),
  removeTable: defineRoute({
    ...sending,
    method: 'DELETE',
    path: '/api/v1/upload/table/',
    summary: 'Deletes a table with its data, and moves its dataset to the trash',
    query: Type.Object(tableName),
    body: 'none',
    reply: MessageBody,
    object: 'the caller may change the table',
    rate: 'write',
    audit: 'upload.remove_table',
    fails: ['not_found', 'forbidden'],
  }),
}
