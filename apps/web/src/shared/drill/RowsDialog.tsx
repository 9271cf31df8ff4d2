import { withQueryFilters, buildRowCountContext, buildDrillRowsContext } from '@parquetry/charts'
import { numberAt } from '@parquetry/frame'
import type { QueryFilter } from '@parquetry/model'
import {
  Button,
  Dialog,
  EmptyState,
  MultiSelect,
  Pager,
  ProgressLine,
  Skeleton,
  toastError,
  useTranslate,
} from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { fetchFrameResults } from '../frame-results.ts'
import { api } from '../api.ts'
import { boot } from '../boot.ts'
import { ChartFailure } from '../ChartFrame.tsx'
import { messageOf } from '../errors.ts'
import { DataGrid } from '../grid/DataGrid.tsx'
import { can } from '../rights.ts'
import { saveResponse } from '../save-response.ts'
import { toWireError } from '../use-chart-data.ts'
import { DrillFilters } from './DrillFilters.tsx'
import type { DrillSubject } from './subject.ts'
import { useDrillDataset } from './use-drill-dataset.ts'
import styles from './drill.module.css'

interface RowsDialogProps {
  subject: DrillSubject
  filters: readonly QueryFilter[]
  /** Name of the mark; the chart's title when all of its rows are shown. */
  label: string
  /** Selects one of the chart's queries, where it has several. */
  choice?: ReactNode
  onClose(): void
}

const pageSizes = [50, 100, 200, 500]
/** Row limit of the server. */
const maxRows = Number(boot.common.conf['SQL_MAX_ROW'] ?? 100_000)

/** Shows the rows behind a mark, fetched one page at a time. */
export function RowsDialog({ subject, filters, label, choice, onClose }: RowsDialogProps) {
  const t = useTranslate()
  // Provides names of columns that no chart here uses.
  const { dataset = subject.dataset } = useDrillDataset(subject)
  return (
    <Dialog open title={t('drill.rowsOf', 'Rows for {label}', { label })} width={1090} onClose={onClose}>
      {choice && <div className={styles.choice}>{choice}</div>}
      <DrillFilters form={withQueryFilters(subject.form, filters)} dataset={dataset} />
      <Rows subject={{ ...subject, dataset }} filters={filters} label={label} />
    </Dialog>
  )
}

function Rows({ subject, filters, label }: Omit<RowsDialogProps, 'onClose'>) {
  const t = useTranslate()
  const [page, setPage] = useState(0)
  const [row_limit, setPageSize] = useState(100)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { form, dataset } = subject
  const options = { staleTime: Infinity, gcTime: 0, retry: false, refetchOnWindowFocus: false } as const

  const rows = useQuery({
    ...options,
    queryKey: ['drill-rows', form, filters, chosen, page, row_limit],
    queryFn: async ({ signal }) => {
      const context = buildDrillRowsContext(form, { filters, columns: chosen, row_limit, row_offset: page * row_limit })
      const frame = (await fetchFrameResults(context, signal))[0]?.frame
      return frame && { frame, firstNumber: page * row_limit + 1 }
    },
    placeholderData: (before) => before,
  })
  const all = useQuery({
    ...options,
    queryKey: ['drill-count', form, filters],
    queryFn: async ({ signal }) => {
      const frame = (await fetchFrameResults(buildRowCountContext(form, filters), signal))[0]?.frame
      const column = frame?.columns[0]
      return column ? (numberAt(column, 0) ?? 0) : 0
    },
  })
  // Columns of the first page, which has all of them.
  const [known, setKnown] = useState<readonly string[]>([])
  if (known.length === 0 && rows.data && rows.data.frame.columns.length > 0)
    setKnown(rows.data.frame.columns.map(({ name }) => name))

  const headingOf = (name: string): string => dataset?.verbose_map?.[name] || name
  const failed = rows.error ?? all.error
  if (failed) {
    const again = () => void Promise.all([rows.refetch(), all.refetch()])
    return <ChartFailure error={toWireError(failed)} onRetry={again} />
  }
  if (!rows.data || all.data === undefined) return <Skeleton height={320} />
  const count = all.data
  return (
    <>
      <div className={styles.bar}>
        <strong className={styles.count} aria-live="polite">
          {t('drill.count', '{count, plural, one {# row} other {# rows}}', { count })}
        </strong>
        <MultiSelect
          compact
          className={styles.columns}
          icon="columns"
          aria-label={t('drill.columns', 'Columns')}
          placeholder={t('drill.allColumns', 'All {count, number} columns', { count: known.length })}
          options={known.map((name) => ({ value: name, label: headingOf(name) }))}
          value={chosen}
          onChange={(names) => {
            // Uses the order of the dataset, not that of the selection.
            setChosen(known.filter((name) => names.includes(name)))
          }}
        />
        {can('can_csv', 'Superset') && count > 0 && (
          <Download subject={subject} filters={filters} columns={chosen} label={label} count={count} />
        )}
      </div>
      {count === 0 ? (
        <EmptyState inline level={3} title={t('drill.none', 'No rows match these filters')} />
      ) : (
        <div className={styles.grid} data-stale={rows.isPlaceholderData || undefined}>
          {rows.isFetching && <ProgressLine label={t('drill.loading', 'Loading rows…')} />}
          <DataGrid {...rows.data} label={t('drill.rowsOf', 'Rows for {label}', { label })} headingOf={headingOf} />
        </div>
      )}
      <div className={styles.foot}>
        <Pager
          page={page}
          pageSize={row_limit}
          count={count}
          onPage={setPage}
          pageSizes={pageSizes}
          onPageSize={(size) => {
            setPage(0)
            setPageSize(size)
          }}
        />
      </div>
    </>
  )
}

interface DownloadProps extends Pick<RowsDialogProps, 'subject' | 'filters' | 'label'> {
  columns: readonly string[]
  count: number
}

/** Downloads the rows in the chosen columns, up to the row limit. */
function Download({ subject, filters, columns, label, count }: DownloadProps) {
  const t = useTranslate()
  const [isBusy, setBusy] = useState(false)
  const download = async (): Promise<void> => {
    setBusy(true)
    try {
      const body = {
        ...buildDrillRowsContext(subject.form, { filters, columns, row_limit: count }),
        result_format: 'csv',
      }
      await saveResponse(await api.send('POST', '/api/v1/chart/data', { body, accept: 'text/csv' }), `${label}.csv`)
    } catch (error) {
      toastError(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon="download" busy={isBusy} onClick={() => void download()}>
      {count > maxRows
        ? t('drill.csvFirst', 'Download the first {count, number} as CSV', { count: maxRows })
        : t('drill.csv', 'Download as CSV')}
    </Button>
  )
}
