import { columnOf, type Column, type Frame } from '@parquetry/frame'

/** A column as fixtures write it: values of JSON, times as milliseconds. */
export interface WrittenColumn {
  name: string
  kind?: 'time'
  parts?: string[]
  values: (string | number | boolean | null)[]
}

export const framesOf = (written: Record<string, WrittenColumn[]>): Record<string, Frame> =>
  Object.fromEntries(
    Object.entries(written).map(([name, columns]) => [
      name,
      { rows: columns[0]?.values.length ?? 0, columns: columns.map(columnFrom) },
    ]),
  )

function columnFrom({ name, kind, parts, values }: WrittenColumn): Column {
  const given = kind === 'time' ? values.map((value) => (value === null ? null : new Date(value as number))) : values
  return { ...columnOf(given, name), ...(parts && { parts }) }
}
