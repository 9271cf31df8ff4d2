import { Avatars, type ListColumn, type Translate } from '@parquetry/ui'
import { formatDateTimeWithZone } from '../shared/formats.ts'
import type { TagSummary } from '@parquetry/model'
import { canSeeTags } from '../shared/tags/has-tags.ts'
import { TagLinks } from '../shared/tags/TagLinks.tsx'
import type { ListRow } from './definition.ts'
import { toOwners } from '../shared/owner.ts'

export const ownersColumn = <Row extends ListRow & { editors: { id: number; label: string }[] }>(
  t: Translate,
): ListColumn<Row> => ({
  id: 'owners',
  header: t('lists.column.owners', 'Owners'),
  width: '132px',
  hideUnder: 768,
  cell: ({ editors }) => <Avatars people={toOwners(editors)} />,
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

/** Tags as links to their pages; none without the feature flag. */
export const tagsColumn = <Row extends ListRow & { custom_tags?: readonly TagSummary[] }>(
  t: Translate,
): ListColumn<Row>[] =>
  canSeeTags
    ? [
        {
          id: 'tags',
          header: t('lists.column.tags', 'Tags'),
          width: '13%',
          hideUnder: 1200,
          cell: ({ custom_tags = [] }) => <TagLinks tags={custom_tags} />,
        },
      ]
    : []
