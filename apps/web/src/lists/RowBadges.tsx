import { CertifiedBadge, StatusChip } from '@parquetry/ui'
import type { ListDefinition, ListRow } from './definition.ts'

interface RowBadgesProps<Row extends ListRow> {
  definition: Pick<ListDefinition<Row>, 'certified' | 'wrong' | 'marks'>
  row: Row
}

/** Marks next to a name: certification and problems. */
export function RowBadges<Row extends ListRow>({ definition, row }: RowBadgesProps<Row>) {
  const certified = definition.certified?.(row)
  const wrong = definition.wrong?.(row)
  return (
    <>
      {certified && <CertifiedBadge by={certified.by} details={certified.details} />}
      {definition.marks?.(row)}
      {wrong && (
        <StatusChip tone="danger" icon="warning" title={wrong.sentence}>
          {wrong.word}
        </StatusChip>
      )}
    </>
  )
}
