import { AppError, message, type ExplorePermalink } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import type { ReadContext } from '../http/resource.ts'
import { can } from '../access/access.ts'
import { type KeyValueStore, readValue, shortKey, writeValue } from '../store/key-values.ts'

export interface StoredPermalink {
  chartId: number | null
  datasourceId: number
  datasourceType: string
  datasource: string
  state: ExplorePermalink
}

const createPermalinkStore = ({ db, now, linkQuotaMb }: ReadContext): KeyValueStore => ({
  db,
  now,
  quotaMb: linkQuotaMb,
  resource: 'explore_permalink',
  days: null,
})

const requireVisible = async (context: ReadContext, { datasourceId, chartId }: StoredPermalink): Promise<void> => {
  if (!(await can(context, ['can_read', 'Dataset'], { kind: 'dataset', id: datasourceId })))
    throw new AppError('dataset_not_found')
  if (chartId !== null && !(await can(context, ['can_read', 'Chart'], { kind: 'chart', id: chartId })))
    throw new AppError('not_found', { message: message('errors.explore.chartMissing', 'Chart does not exist') })
}

/** Stores a state of Explore permanently under a new short key. */
export async function createExplorePermalink(context: ReadContext, state: ExplorePermalink): Promise<string> {
  const { datasource, slice_id } = state.formData
  const [, id, datasourceType = ''] = /^(\d{1,15})__(\w+)$/.exec(typeof datasource === 'string' ? datasource : '') ?? []
  if (id === undefined)
    throw new AppError('bad_request', {
      message: message('errors.explore.noDataset', 'The form data does not name a dataset.'),
    })
  const chartId = Number.isSafeInteger(slice_id) ? (slice_id as number) : null
  const permalink: StoredPermalink = {
    chartId,
    datasourceId: Number(id),
    datasourceType,
    datasource: String(datasource),
    state,
  }
  await requireVisible(context, permalink)
  const key = shortKey('explore', randomUUID())
  await writeValue(createPermalinkStore(context), key, {
    value: JSON.stringify(permalink),
    user_id: context.principal.id,
  })
  return key
}

/** @throws AppError `not_found` for an unknown key; for an unreadable dataset or chart as for a missing one */
export async function readExplorePermalink(context: ReadContext, key: string): Promise<StoredPermalink> {
  const stored = await readValue(createPermalinkStore(context), key)
  if (!stored)
    throw new AppError('not_found', { message: message('errors.explore.permalinkKey', 'Invalid permalink key') })
  const permalink = JSON.parse(stored.value) as StoredPermalink
  await requireVisible(context, permalink)
  return permalink
}
