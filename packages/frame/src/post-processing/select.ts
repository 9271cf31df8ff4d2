import type { Options } from './options.ts'
import { invalidStep } from './refusal.ts'
import { message } from '@parquetry/model/message'
import { requireColumns, columnsUnder, type Table } from './table.ts'

/** `select`: selects columns in the given order, excludes some, renames some. */
export function select(table: Table, options: Options): Table {
  const names = options.texts('columns') ?? []
  const excluded = options.texts('exclude') ?? []
  const renamed = options.renames('rename') ?? new Map<string, string | null>()
  requireColumns(table, [...names, ...renamed.keys()])
  const selected = names.length ? names.flatMap((name) => columnsUnder(table, name)) : table.columns
  const missing = excluded.find((name) => columnsUnder({ columns: selected }, name).length === 0)
  if (missing !== undefined)
    throw invalidStep(
      message('errors.frame.excludedMissing', '`select` cannot exclude `{column}` because it does not exist.', {
        column: missing,
      }),
    )
  const columns = selected
    .filter(({ label }) => !excluded.includes(label[0] ?? ''))
    .map(({ label, data }) => ({ label: [renamed.get(label[0] ?? '') ?? label[0]!, ...label.slice(1)], data }))
  return { ...table, columns }
}
