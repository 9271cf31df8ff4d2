import type { MissingReference } from '@parquetry/model'
import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { writeVersion } from '../store/write.ts'
import type { ColumnRow, DatasetRow, MetricRow, StoredDataset } from './stored-dataset.ts'

/** Names that one change of a dataset took away. */
export type NameChange = Pick<MissingReference, 'kind' | 'name' | 'now'>

type Children = Pick<StoredDataset, 'columns' | 'metrics'>
type IdentifiedName = { id: number; name: string }

const columnNames = (columns: readonly Pick<ColumnRow, 'id' | 'column_name'>[]): IdentifiedName[] =>
  columns.map(({ id, column_name }) => ({ id, name: column_name }))
const metricNames = (metrics: readonly Pick<MetricRow, 'id' | 'metric_name'>[]): IdentifiedName[] =>
  metrics.map(({ id, metric_name }) => ({ id, name: metric_name }))

/** Kept beside the versions, which are too large to be looked through when a chart is opened. */
const kind = 'dataset.names'

/**
 * What a change renames and removes, by the ids that columns and metrics keep. What is made again under its name is neither. Two that
 * swap their names are renames as well.
 */
export function diffNames(before: Children, after: Children): NameChange[] {
  return [
    ...changesIn('column', columnNames(before.columns), columnNames(after.columns)),
    ...changesIn('metric', metricNames(before.metrics), metricNames(after.metrics)),
  ]
}

function changesIn(
  of: NameChange['kind'],
  before: readonly IdentifiedName[],
  after: readonly IdentifiedName[],
): NameChange[] {
  const names = new Map(after.map(({ id, name }) => [id, name]))
  const taken = new Set(names.values())
  return before.flatMap(({ id, name }): NameChange[] => {
    const now = names.get(id)
    if (now === name || (now === undefined && taken.has(name))) return []
    return [{ kind: of, name, now: now ?? null }]
  })
}

/** Keeps what a change took away, in its transaction. */
export async function storeNameChanges(
  trx: Transaction<Tables>,
  { id, uuid }: Pick<DatasetRow, 'id' | 'uuid'>,
  changes: readonly NameChange[],
  { author, now }: { author: number | null; now: Date },
): Promise<void> {
  if (changes.length > 0) await writeVersion(trx, { kind, uuid, id, author, now }, { id, changes })
}

/**
 * Names that columns and metrics of a dataset once had, with what became of them: of one that was renamed several times its name of
 * today. A name that the dataset has again is not lost, nor is anything known of one that a change by older releases took away.
 */
export async function loadMissingReferences(
  db: Kysely<Tables>,
  { row, columns, metrics }: StoredDataset,
): Promise<MissingReference[]> {
  const rows = await db
    .selectFrom('version')
    .leftJoin('user', 'user.id', 'version.author_id')
    .select(['at', 'document', 'first_name', 'last_name'])
    .where('kind', '=', kind)
    .where('object_uuid', '=', row.uuid)
    .where('object_id', '=', row.id)
    .orderBy('n')
    .execute()
  const lost = new Map<string, MissingReference>()
  for (const { at, document, first_name, last_name } of rows) {
    const by = `${first_name ?? ''} ${last_name ?? ''}`.trim() || null
    const { changes } = JSON.parse(document) as { changes: NameChange[] }
    const known = new Map(changes.map((change) => [nameKey(change), change]))
    for (const [key, older] of lost) {
      const next = older.now === null ? undefined : known.get(nameKey({ kind: older.kind, name: older.now }))
      if (next) lost.set(key, { ...older, now: next.now, by, at })
    }
    for (const change of changes) lost.set(nameKey(change), { ...change, by, at })
  }
  const today = new Set([
    ...columnNames(columns).map(({ name }) => nameKey({ kind: 'column', name })),
    ...metricNames(metrics).map(({ name }) => nameKey({ kind: 'metric', name })),
  ])
  return [...lost.values()].filter(
    (each) =>
      !today.has(nameKey(each)) && (each.now === null || today.has(nameKey({ kind: each.kind, name: each.now }))),
  )
}

/** Those of the datasets that lost a name at some time. */
export async function findDatasetsWithNameChanges(db: Kysely<Tables>, ids: readonly number[]): Promise<number[]> {
  const found = await db
    .selectFrom('version')
    .innerJoin('dataset', 'dataset.uuid', 'version.object_uuid')
    .select('dataset.id')
    .distinct()
    .where('kind', '=', kind)
    .where('dataset.id', 'in', [...new Set(ids), -1])
    .execute()
  return found.map(({ id }) => id)
}

const nameKey = ({ kind: of, name }: Pick<NameChange, 'kind' | 'name'>): string => `${of} ${name}`
