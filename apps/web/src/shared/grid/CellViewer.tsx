import { nullText } from '@parquetry/charts'
import { textAt, type Column } from '@parquetry/frame'
import { Button, Dialog, useCopy, useTranslate } from '@parquetry/ui'
import { indentJson } from './cell-text.ts'
import styles from './DataGrid.module.css'

export interface CellViewerProps {
  column: Column
  row: number
  /** Displayed row number. */
  number: number
  heading: string
  onClose(): void
}

const isJson = (text: string): boolean => /^\s*[[{]/.test(text)

/** Shows one full value: long text with its line breaks, JSON indented. */
export function CellViewer({ column, row, number, heading, onClose }: CellViewerProps) {
  const t = useTranslate()
  const copy = useCopy()
  const text = textAt(column, row)
  return (
    <Dialog
      open
      width={720}
      title={heading}
      description={t('shared.grid.viewer.row', 'Row {row, number}{type}', {
        row: number,
        type: column.type ? ` · ${column.type}` : '',
      })}
      onClose={onClose}
      footer={
        text !== null && (
          <Button icon="copy" onClick={() => copy(text, t('shared.grid.copied', 'Cell copied'))}>
            {t('shared.grid.copy', 'Copy')}
          </Button>
        )
      }
    >
      <pre className={styles.value} tabIndex={0}>
        {text === null ? nullText : isJson(text) ? indentJson(text) : text}
      </pre>
    </Dialog>
  )
}
