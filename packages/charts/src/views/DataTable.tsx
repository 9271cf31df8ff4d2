import { genericOf, type Frame } from '@parquetry/frame'
import { IconButton, useText } from '@parquetry/ui'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Look } from '../define.ts'
import { isNameOfThings } from '../explore/names-of-things.ts'
import type { Surroundings } from '../resolve/surroundings.ts'
import { sayIn } from '../resolve/words.ts'
import { joined } from '../shared/joined.ts'
import type { TableColumn } from '../table/columns.ts'
import { Grid } from './Grid.tsx'
import { useCopyCells } from './grid/index.ts'
import { nextSorting, sortedRows, type Sorting } from './rows-shown.ts'
import styles from './chart-host.module.css'

export interface DataTableProps {
  frames: Record<string, Frame>
  look: Look
  around: Surroundings
  title: string
  onClose: () => void
}

/** The numbers behind a picture, over it; Escape goes back. */
export function DataTable({ frames, look, around, title, onClose }: DataTableProps) {
  const t = useText()
  const panel = useRef<HTMLDivElement>(null)
  const [sorting, setSorting] = useState<readonly Sorting[]>([])
  const frame = useMemo(
    () => joined(frames, (name) => sayIn(look)('picture.query.b', '{name} (query B)', { name })),
    [frames, look],
  )
  const columns = useMemo(() => plainColumns(frame, look), [frame, look])
  const rows = useMemo(() => sortedRows(frame, sorting), [frame, sorting])
  useEffect(() => panel.current?.querySelector<HTMLElement>('[role=grid]')?.focus(), [])
  const copyCells = useCopyCells()
  const close = t('charts.table.close', 'Back to chart')
  return (
    <div
      ref={panel}
      className={styles.table}
      role="presentation"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && event.key !== 't') return
        event.stopPropagation()
        onClose()
      }}
    >
      <div className={styles.tableBar}>
        {t('charts.table.title', 'Data for {title}', { title })}
        <span>
          <IconButton
            icon="copy"
            label={t('charts.table.copy', 'Copy all rows')}
            onClick={() => void copyCells({ columns: frame.columns, rows }, true)}
          />
          <IconButton icon="close" label={close} onClick={onClose} />
        </span>
      </div>
      <Grid
        frame={frame}
        columns={columns}
        rows={rows}
        label={t('charts.table.title', 'Data for {title}', { title })}
        locale={around.locale}
        theme={around.theme}
        room={around}
        sorting={sorting}
        onSort={(column, isAdded) => setSorting((now) => nextSorting(now, column, isAdded))}
      />
    </div>
  )
}

const plainColumns = (frame: Frame, look: Look): TableColumn[] =>
  frame.columns.map((column) => {
    const isNumeric = genericOf(column) === 0
    return {
      name: column.name,
      label: look.verbose(column.name),
      format: column.kind === 'time' ? 'smart_date' : isNumeric && !isNameOfThings(column.name) ? 'FULL_NUMBER' : null,
      align: isNumeric ? 'right' : 'left',
      isMetric: isNumeric,
      isNumeric,
      width: null,
      bars: null,
      rules: [],
    }
  })
