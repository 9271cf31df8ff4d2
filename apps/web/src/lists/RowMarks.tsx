import { Certified, StatusChip } from '@parquetry/ui'
import type { ListDefinition, ListRow } from './definition.ts'

interface RowMarksProps<Row extends ListRow> {
  definition: Pick<ListDefinition<Row>, 'certified' | 'wrong'>
  row: Row
}

/** What stands beside a name: who vouches for it, and what is wrong with it. */
export function RowMarks<Row extends ListRow>({ definition, row }: RowMarksProps<Row>) {
  const certified = definition.certified?.(row)
  const wrong = definition.wrong?.(row)
  return (
    <>
      {certified && <Certified by={certified.by} details={certified.details} />}
      {wrong && (
        <StatusChip tone="danger" icon="warning" title={wrong.sentence}>
          {wrong.word}
        </StatusChip>
      )}
    </>
  )
}
