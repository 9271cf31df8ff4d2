import type { Translate } from '@parquetry/ui'
import type { Owner } from '../shared/owner.ts'
import { certified, createdBy, favorite, mine, ownedBy } from './common-filters.ts'
import type { ListFilter, ListRow } from './definition.ts'

/** Asked of charts and of dashboards. */
export const workFields = [
  'owners.id',
  'owners.first_name',
  'owners.last_name',
  'certified_by',
  'certification_details',
  'changed_on_utc',
  'changed_on_delta_humanized',
] as const

interface Work extends ListRow {
  owners: Owner[]
  certified_by: string | null
  certification_details: string | null
}

/** What the lists of charts and of dashboards have in common; `own` is the filter that the other one has not. */
export const workList = <Kind extends 'chart' | 'dashboard'>(t: Translate, resource: Kind, own: ListFilter) => ({
  resource,
  nameHeader: t('lists.column.name', 'Name'),
  filters: [mine(t), favorite(t, resource), ownedBy(t), own, createdBy(t), certified(t, resource)],
  owners: ({ owners }: Work) => owners,
  certified: ({ certified_by, certification_details }: Work) => ({ by: certified_by, details: certification_details }),
  hasFavorites: true,
  hasCards: true,
  hasExport: true,
})
