import { toast, toastError, useTranslate } from '@parquetry/ui'
import { copyTable } from './clipboard.ts'
import type { CellBlock } from './copy-text.ts'

/** Copies cells as a table and shows a toast with their number, or an error if the browser does not allow it. */
export function useCopyCells(): (cells: CellBlock, withHeader: boolean) => Promise<void> {
  const t = useTranslate()
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
