import { buildColumn, type Column, type Frame } from '@parquetry/frame'

/** A column as written in fixtures: JSON values, times in milliseconds. */
export interface FixtureColumn {
  name: string
  kind?: 'time'
  parts?: string[]
  values: (string | number | boolean | null)[]
}

export const toFrames = (written: Record<string, FixtureColumn[]>): Record<string, Frame> =>
  Object.fromEntries(
    Object.entries(written).map(([name, columns]) => [
      name,
      { rows: columns[0]?.values.length ?? 0, columns: columns.map(toColumn) },
    ]),
  )

function toColumn({ name, kind, parts, values }: FixtureColumn): Column {
  const given = kind === 'time' ? values.map((value) => (value === null ? null : new Date(value as number))) : values
  return { ...buildColumn(given, name), ...(parts && { parts }) }
}
