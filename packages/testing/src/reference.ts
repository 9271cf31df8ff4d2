import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { PlannerDataset } from '@parquetry/model'
import { sampleDataset, type DatasetSetup } from './datasets.ts'

/** A recorded call and its response; its terms are explained in `packages/testing/reference/README.md`. */
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
  /** Values to save: name -> path in the response, for `${saved:name}` in later cases. */
  save?: Record<string, string>
  /** The order of `result` is undefined: both sides are sorted by this key before the comparison. */
  sort?: string
  /** Not a case: creates what the following cases need. */
  setup?: boolean
  /** False: needs its own token or session and is only documentation. */
  replay?: boolean
  /** Replaces `status`: role -> status. */
  statuses?: Record<string, number | string>
}

const folder = new URL('../reference/', import.meta.url)

/** Reads a list in `packages/testing/reference/`. */
export const readReference = <T>(file: string): T[] => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as T[]

/** Folders of the unpacked bundles of other releases, such as `6.1.0/dashboard`. */
export const listReferenceBundles = (): { name: string; path: string }[] =>
  readdirSync(new URL('bundles/', folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: release }) =>
      readdirSync(new URL(`bundles/${release}/`, folder)).map((kind) => `${release}/${kind}`),
    )
    .toSorted()
    .map((name) => ({ name, path: fileURLToPath(new URL(`bundles/${name}/`, folder)) }))

/** A field of a document that Superset imports, in terms of its validation library. */
export interface AcceptedField {
  type: string
  required: boolean
  nullable: boolean
  items?: AcceptedField
  values?: AcceptedField
  fields?: Record<string, AcceptedField>
}

/** Fields of the documents that the newest Superset release accepts, by folder of the bundle. */
export const readAcceptedFields = (): Record<string, Record<string, AcceptedField>> =>
  (
    JSON.parse(readFileSync(new URL('bundles/accepted-fields.json', folder), 'utf8')) as {
      folders: Record<string, Record<string, AcceptedField>>
    }
  ).folders

/** Reads the recorded calls of each public client, from the files of `clients/`. */
export const readRecordedClients = <T>(): T[] =>
  readdirSync(new URL('clients/', folder))
    .toSorted()
    .map((file) => JSON.parse(readFileSync(new URL(`clients/${file}`, folder), 'utf8')) as T)

/** The OpenAPI document of the reference API, as text. */
export const readReferenceDocument = (): string => readFileSync(new URL('openapi.json', folder), 'utf8')

/** Reads where answers differ from that document on purpose. `deviation` is a regular expression. */
export const readDocumentDeviations = (): { deviation: string; reason: string; overruled_by: string }[] =>
  readReference('openapi-deviations.json')

/** An entry of `differences.json`: one case, or all cases with a name prefix. */
export interface KnownDifference {
  file: string
  name?: string
  prefix?: string
  reason: string
}

/**
 * Returns the recorded cases that differ on purpose. They are replayed as well: a case that no longer differs must be removed
 * from the list.
 */
export const readKnownDifferences = (): KnownDifference[] => readReference<KnownDifference>('differences.json')

const known = readKnownDifferences()

/** Returns why a recorded case differs on purpose; undefined for a case that must be the same. */
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
