import { genericOf, type Frame } from '@parquetry/frame'
import { IconButton, useTranslate } from '@parquetry/ui'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { SpecContext } from '../define.ts'
import { isNonAdditiveName } from '../explore/non-additive-name.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import { createTranslator } from '../resolve/text.ts'
import { joinFrames } from '../shared/join-frames.ts'
import type { TableColumn } from '../table/columns.ts'
import { Grid } from './Grid.tsx'
import { useCopyCells } from './grid/index.ts'
import { toggleSort, sortRows, type ColumnSort } from './visible-rows.ts'
import styles from './chart-host.module.css'

export interface DataTableProps {
  frames: Record<string, Frame>
  context: SpecContext
  around: RenderContext
  title: string
  onClose: () => void
}

/** The data of a chart as a table over it; Escape closes it. */
export function DataTable({ frames, context, around, title, onClose }: DataTableProps) {
  const t = useTranslate()
  const panel = useRef<HTMLDivElement>(null)
  const [sorting, setSorting] = useState<readonly ColumnSort[]>([])
  const frame = useMemo(
    () => joinFrames(frames, (name) => createTranslator(context)('picture.query.b', '{name} (query B)', { name })),
    [frames, context],
  )
  const columns = useMemo(() => plainColumns(frame, context), [frame, context])
  const rows = useMemo(() => sortRows(frame, sorting), [frame, sorting])
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
        onSort={(column, isAdded) => setSorting((now) => toggleSort(now, column, isAdded))}
      />
    </div>
  )
}

const plainColumns = (frame: Frame, context: SpecContext): TableColumn[] =>
  frame.columns.map((column) => {
    const isNumeric = genericOf(column) === 0
    return {
      name: column.name,
      label: context.displayName(column.name),
      format:
        column.kind === 'time' ? 'smart_date' : isNumeric && !isNonAdditiveName(column.name) ? 'FULL_NUMBER' : null,
      align: isNumeric ? 'right' : 'left',
      isMetric: isNumeric,
      isNumeric,
      width: null,
      bars: null,
      rules: [],
    }
  })
