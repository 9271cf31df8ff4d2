import { readFileSync } from 'node:fs'
import type { PlannerDataset } from '@parquetry/model'
import { sampleDataset, type DatasetSetup } from './datasets.ts'

/** A recorded call and its answer; the words in it are explained in `packages/testing/reference/README.md`. */
export interface RecordedCase {
  name: string
  request: {
    method: string
    path: string
    body?: unknown
    form?: Record<string, unknown>
    auth?: string
    as?: string
    multipart?: unknown
  }
  status: number
  response: Record<string, unknown>
  note?: string
  engine_text?: boolean
  rows?: 'count'
  /** Name -> place in the answer: `${saved:name}` of later cases. */
  save?: Record<string, string>
  /** The order of `result` is not given: both sides are sorted by this key before they are compared. */
  sort?: string
  /** Not a case: makes what the following ones need. */
  setup?: boolean
  /** False: needs a token or session of its own, for reading only. */
  replay?: boolean
  /** Instead of `status`: role -> status. */
  statuses?: Record<string, number | string>
}

const folder = new URL('../reference/', import.meta.url)

/** A list of `packages/testing/reference/`. */
export const readReference = <T>(file: string): T[] => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as T[]

/** An entry of `differences.json`: one case, or all whose names begin alike. */
export interface KnownDifference {
  file: string
  name?: string
  prefix?: string
  reason: string
}

/** Recorded cases that differ on purpose. Each is played all the same: one that differs no more is to leave the list. */
export const readKnownDifferences = (): KnownDifference[] => readReference<KnownDifference>('differences.json')

const known = readKnownDifferences()

/** Why a recorded case differs on purpose; undefined for one that has to be the same. */
export const knownDifferenceOf = (file: string, name: string): KnownDifference | undefined =>
  known.find(
    (one) => one.file === file && (one.name === name || (one.prefix !== undefined && name.startsWith(one.prefix))),
  )

export const isKnownDifference = (file: string, name: string): boolean => knownDifferenceOf(file, name) !== undefined

/** The datasets that the recorded cases use, by name. */
export function referenceDatasets(engine: string, schema: string | null): Map<string, PlannerDataset> {
  const { datasets } = JSON.parse(readFileSync(new URL('setup.json', folder), 'utf8')) as { datasets: DatasetSetup[] }
  return new Map(datasets.map((setup) => [setup.table_name, sampleDataset(setup, engine, schema)]))
}
