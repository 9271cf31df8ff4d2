import { createTranslator } from '@parquetry/charts/draw'
import type { Frame } from '@parquetry/frame'
import { toFileName, type Picture } from '@parquetry/model'
import { readChartResults } from './chart-results.ts'
import { listChartTables } from './chart-tables.ts'
import { createNamer } from './unique-names.ts'

/** A table, or text that says why there is none or what it lacks. */
export interface TableFile {
  /** Safe and unique, without an ending. */
  name: string
  content: Frame | string
}

/** Returns one file per query of each chart, and one with the notes of all charts if there are any. */
export function listTableFiles(picture: Picture, messages: Uint8Array): TableFile[] {
  const say = createTranslator({ messages: picture.messages, locale: picture.locale })
  const nameFile = createNamer(100)
  const charts = listChartTables(picture, readChartResults(messages), say)
  const files = charts.flatMap(({ chart, tables }): TableFile[] =>
    tables.map(({ frame }) => ({ name: nameFile(toFileName(chart.title)), content: frame })),
  )
  const notes = charts.flatMap(({ chart, note }) => (note === null ? [] : [`${chart.title}: ${note}`]))
  // The rows of a single chart are one file, as programs expect that read it.
  if (notes.length === 0 || (files.length === 1 && charts.length === 1)) return files
  return [...files, { name: nameFile(toFileName(say('picture.notes', 'Notes'))), content: `${notes.join('\n')}\n` }]
}
