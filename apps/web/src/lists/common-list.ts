import type { Translate } from '@parquetry/ui'
import { toOwners } from '../shared/owner.ts'
import { certifiedFilter, creatorFilter, favoriteFilter, mineFilter, ownerFilter, tagFilter } from './common-filters.ts'
import type { ListFilter, ListRow } from './definition.ts'

/** Columns requested for charts and dashboards. */
export const commonFields = [
  'editors.id',
  'editors.label',
  'certified_by',
  'certification_details',
  'changed_on_utc',
  'changed_on_delta_humanized',
  'custom_tags',
] as const

interface CertifiableRow extends ListRow {
  editors: { id: number; label: string }[]
  certified_by: string | null
  certification_details: string | null
}

/** Definition shared by the lists of charts and dashboards; `own` is the filter specific to one of them. */
export const commonList = <Kind extends 'chart' | 'dashboard'>(t: Translate, resource: Kind, own: ListFilter) => ({
  resource,
  nameHeader: t('lists.column.name', 'Name'),
  filters: [
    mineFilter(t),
    favoriteFilter(t, resource),
    ownerFilter(t),
    own,
    ...tagFilter(t, resource),
    creatorFilter(t),
    certifiedFilter(t, resource),
  ],
  owners: ({ editors }: CertifiableRow) => toOwners(editors),
  certified: ({ certified_by, certification_details }: CertifiableRow) => ({
    by: certified_by,
    details: certification_details,
  }),
  hasFavorites: true,
  hasCards: true,
  hasExport: true,
  imports: resource,
})
