import { readFileSync } from 'node:fs'
import type { Dataset } from '@parquetry/model'
import { sampleDataset, type DatasetSetup } from './datasets.ts'

/** A recorded call and its answer; the words in it are explained in `packages/testing/reference/README.md`. */
export interface RecordedCase {
  name: string
  request: { method: string; path: string; body?: unknown; form?: Record<string, unknown>; auth?: string; as?: string }
  status: number
  response: Record<string, unknown>
  note?: string
  engine_text?: boolean
  rows?: 'count'
}

const folder = new URL('../reference/', import.meta.url)

export const readReference = <T>(file: string): T[] => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as T[]

/** Whether a recorded case differs on purpose; `differences.json` says why. */
export const isDifferent = (file: string, name: string): boolean =>
  readReference<{ file: string; name: string }>('differences.json').some(
    (one) => one.file === file && one.name === name,
  )

/** The datasets that the recorded cases use, by name. */
export function referenceDatasets(engine: string, schema: string | null): Map<string, Dataset> {
  const { datasets } = JSON.parse(readFileSync(new URL('setup.json', folder), 'utf8')) as { datasets: DatasetSetup[] }
  return new Map(datasets.map((setup) => [setup.table_name, sampleDataset(setup, engine, schema)]))
}
