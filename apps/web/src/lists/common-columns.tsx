import { Avatars, type ListColumn, type Translate } from '@parquetry/ui'
import { formatDateTimeWithZone } from '../shared/formats.ts'
import type { ListRow } from './definition.ts'
import type { Owner } from '../shared/owner.ts'

export const ownersColumn = <Row extends ListRow & { owners: Owner[] }>(t: Translate): ListColumn<Row> => ({
  id: 'owners',
  header: t('lists.column.owners', 'Owners'),
  width: '132px',
  hideUnder: 768,
  cell: ({ owners }) => <Avatars people={owners} />,
})

export const changedColumn = <Row extends ListRow>(t: Translate): ListColumn<Row> => ({
  id: 'changed',
  header: t('lists.column.changed', 'Modified'),
  order: 'changed_on_delta_humanized',
  width: '132px',
  hideUnder: 768,
  cell: (row) => <Changed row={row} />,
})

function Changed({ row }: { row: ListRow & { changed_on_utc?: string } }) {
  const at = row.changed_on_utc && new Date(row.changed_on_utc)
  return (
    <time dateTime={row.changed_on_utc} title={at ? formatDateTimeWithZone(at) : undefined}>
      {row.changed_on_delta_humanized}
    </time>
  )
}
