import { toast, toastError, useText } from '@parquetry/ui'
import { copyTable } from './clipboard.ts'
import type { Cells } from './copy-text.ts'

/** Copies cells as a table, and says how many or that the browser does not let it. */
export function useCopyCells(): (cells: Cells, withHeader: boolean) => Promise<void> {
  const t = useText()
  return async (cells, withHeader) => {
    try {
      await copyTable(cells, withHeader)
      const count = cells.columns.length * cells.rows.length
      toast(t('charts.grid.cellsCopied', '{cells, plural, one {# cell} other {# cells}} copied', { cells: count }))
    } catch {
      toastError(t('ui.copy.failed', 'Sorry, your browser does not support copying.'))
    }
  }
}
