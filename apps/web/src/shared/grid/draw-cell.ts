import { formatText, nullText } from '@parquetry/charts'
import { linkedText, type CellRenderer } from '@parquetry/charts/views/grid/index'
import { genericOf, textAt, type Frame } from '@parquetry/frame'
import { formatCell, type CellFormatOptions } from './cell-text.ts'
import styles from './DataGrid.module.css'

interface CellOptions extends CellFormatOptions {
  /** Lowercase; cells that contain it are highlighted. */
  needle: string
  /** Names of time columns shown unformatted. */
  original: ReadonlySet<string>
}

const maxCellLength = 400

/** Renders the cells of a result. Text is decoded only for cells that are shown. */
export const drawCells =
  (frame: Frame, { needle, original, ...formatOptions }: CellOptions): CellRenderer =>
  (index, row) => {
    const column = frame.columns[index]
    if (!column) return { content: null }
    const fullText = textAt(column, row)
    const text = original.has(column.name) ? fullText : formatCell(column, row, formatOptions)
    const isMatch = needle !== '' && [text, fullText].some((each) => each?.toLowerCase().includes(needle))
    // Empty and blank text is quoted: it looks neither like null nor like nothing.
    const isBlank = column.kind === 'string' && text !== null && formatText(text) !== text
    const names = [
      genericOf(column) === 0 && styles.end,
      (text === null || isBlank) && styles.null,
      isMatch && styles.hit,
    ]
    const shown =
      text === null
        ? nullText
        : isBlank
          ? formatText(text)
          : text.length > maxCellLength
            ? `${text.slice(0, maxCellLength)}…`
            : text
    return {
      content: linkedText(shown, fullText),
      className: names.filter(Boolean).join(' '),
    }
  }
