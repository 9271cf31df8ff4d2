import Type from 'typebox'
import { openObject, MessageBody } from './fields.ts'
import { ById } from './resource.ts'
import { fileField } from './form.ts'
import { defineRoute } from './route.ts'

const metadata = openObject({
  result: openObject({
    items: Type.Array(
      openObject({
        sheet_name: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
        column_names: Type.Array(Type.String()),
      }),
    ),
  }),
})

const text = () => Type.Optional(Type.String())

const styleFields = {
  file: fileField(),
  type: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['csv', 'excel', 'columnar'] })),
  sheet_name: text(),
  delimiter: text(),
  header_row: text(),
  skip_rows: text(),
  rows_to_read: text(),
  decimal_character: text(),
  null_values: text(),
}

/** Fields of the form. Lists are JSON or values separated by commas; `column_data_types` is a JSON object. */
const loadForm = Type.Object({
  ...styleFields,
  table_name: Type.String(),
  already_exists: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['fail', 'replace', 'append'] })),
  schema: text(),
  columns_read: text(),
  column_dates: text(),
  day_first: text(),
  column_data_types: text(),
})

const sent = {
  method: 'POST',
  body: 'multipart',
  csrf: 'token',
  errors: 'plain',
} as const

const uploadRoute = {
  ...sent,
  form: loadForm,
  success: [201],
  rate: 'write',
  params: ById,
  reply: MessageBody,
  object: 'the caller may upload files to the database and replace the table',
  audit: 'database.upload',
  fails: ['not_found', 'forbidden', 'unprocessable', 'too_large', 'bad_request', 'disk_full'],
} as const
const metadataRoute = {
  ...sent,
  form: Type.Object(styleFields),
  rate: 'query',
  reply: metadata,
  object: 'none',
  audit: 'none',
  fails: ['forbidden', 'unprocessable', 'too_large', 'bad_request'],
} as const

/** Upload calls of other clients: one form with the file and its options. */
export const formUploadRoutes = {
  upload: defineRoute({
    ...uploadRoute,
    path: '/api/v1/database/:id/upload/',
    summary: 'Loads a file into a table',
    can: ['can_upload', 'Database'],
  }),
  csv: defineRoute({
    ...uploadRoute,
    path: '/api/v1/database/:id/csv_upload/',
    summary: 'Loads a CSV file into a table',
    can: ['can_csv_upload', 'Database'],
  }),
  excel: defineRoute({
    ...uploadRoute,
    path: '/api/v1/database/:id/excel_upload/',
    summary: 'Loads a sheet of a workbook into a table',
    can: ['can_excel_upload', 'Database'],
  }),
  columnar: defineRoute({
    ...uploadRoute,
    path: '/api/v1/database/:id/columnar_upload/',
    summary: 'Loads a Parquet file into a table',
    can: ['can_columnar_upload', 'Database'],
  }),
  metadata: defineRoute({
    ...metadataRoute,
    path: '/api/v1/database/upload_metadata/',
    summary: 'Lists the columns of a file, grouped by sheet',
    can: ['can_upload', 'Database'],
  }),
  csvMetadata: defineRoute({
    ...metadataRoute,
    path: '/api/v1/database/csv_metadata/',
    summary: 'Lists the columns of a CSV file',
    can: ['can_csv_upload', 'Database'],
  }),
  excelMetadata: defineRoute({
    ...metadataRoute,
    path: '/api/v1/database/excel_metadata/',
    summary: 'Lists the sheets of a workbook and their columns',
    can: ['can_excel_upload', 'Database'],
  }),
  columnarMetadata: defineRoute({
    ...metadataRoute,
    path: '/api/v1/database/columnar_metadata/',
    summary: 'Lists the columns of a Parquet file',
    can: ['can_columnar_upload', 'Database'],
  }),
}
