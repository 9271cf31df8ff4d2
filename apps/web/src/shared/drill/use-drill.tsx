import {
  resolveQueryForm,
  namedTextId,
  listChartQueries,
  type ChartForm,
  type ChartQuery,
  type Mark,
} from '@parquetry/charts'
import type { MarkEvent } from '@parquetry/charts/views'
import { SegmentedControl, useTranslate, type MenuItem } from '@parquetry/ui'
import { Suspense, useCallback, useState, type ReactNode } from 'react'
import { lazyComponent } from '../lazy-component.tsx'
import type { DrillStep } from './DrillByDialog.tsx'
import { resolveDrillPermissions, type DrillSubject } from './subject.ts'

const DrillMenu = lazyComponent(async () => (await import('./DrillMenu.tsx')).DrillMenu)
const RowsDialog = lazyComponent(async () => (await import('./RowsDialog.tsx')).RowsDialog)
const DrillByDialog = lazyComponent(async () => (await import('./DrillByDialog.tsx')).DrillByDialog)

type Open =
  | { kind: 'menu'; mark: Mark; event: MarkEvent; form: ChartForm }
  | ({ kind: 'rows'; mark: Pick<Mark, 'drill' | 'label'>; form: ChartForm } & QueryChoice)
  | ({ kind: 'by'; step: DrillStep; form: ChartForm } & QueryChoice)

/** Queries of a whole chart, one of which is drilled into. */
interface QueryChoice {
  chartQueries?: readonly ChartQuery[]
}

export interface Drill {
  /** Opens the menu of a mark; undefined when the chart type or the user's permissions offer nothing. */
  openMenu: ((mark: Mark, event: MarkEvent) => void) | undefined
  /** Menu items for the whole chart. */
  items: MenuItem[]
  /** The open menu or dialog, to be rendered beside the chart. */
  element: ReactNode
}

/**
 * Drills from a chart to its rows and to breakdowns by other columns.
 * @param subject null while the chart has no result
 * @param firstOf additional menu items of the host for a mark
 */
export function useDrill(subject: DrillSubject | null, firstOf: (mark: Mark) => MenuItem[] = () => []): Drill {
  const t = useTranslate()
  const [open, setOpen] = useState<Open | null>(null)
  const subjectForm = subject?.form
  const openMenu = useCallback(
    (mark: Mark, event: MarkEvent) => {
      if (subjectForm)
        void resolveQueryForm(subjectForm, mark.query).then((form) => setOpen({ kind: 'menu', mark, event, form }))
    },
    [subjectForm],
  )
  if (!subject) return { openMenu: undefined, items: [], element: null }
  const permissions = resolveDrillPermissions(subject.form['viz_type'])
  const { form, title } = subject
  const close = (): void => setOpen(null)
  const openForChart = async (kind: 'by' | 'rows'): Promise<void> => {
    const chartQueries = await listChartQueries(form)
    const chartState = { form: chartQueries[0]?.form ?? form, chartQueries }
    setOpen(
      kind === 'by'
        ? { kind, ...chartState, step: { filters: [], label: title, column: null } }
        : { kind, ...chartState, mark: { drill: [], label: title } },
    )
  }
  const items: MenuItem[] = []
  if (permissions.canDrillBy)
    items.push({
      label: t('drill.byOther', 'Drill by…'),
      icon: 'chart',
      onSelect: () => void openForChart('by'),
    })
  if (permissions.canDrillToRows)
    items.push({
      label: t('drill.toRows', 'Drill to rows'),
      icon: 'table',
      onSelect: () => void openForChart('rows'),
    })
  const choice = open && open.kind !== 'menu' && open.chartQueries && open.chartQueries.length > 1 && (
    <SegmentedControl<string>
      label={t('drill.question', 'Query')}
      value={open.chartQueries.find((each) => each.form === open.form)?.query ?? ''}
      onChange={(query) => {
        const chosen = open.chartQueries?.find((each) => each.query === query)
        if (chosen) setOpen({ ...open, form: chosen.form })
      }}
      options={open.chartQueries.map(({ query, label }) => ({
        value: query,
        label: t(namedTextId('section', label), label),
      }))}
    />
  )
  return {
    openMenu: permissions.canDrillBy || permissions.canDrillToRows ? openMenu : undefined,
    items,
    element: open && (
      <Suspense>
        {open.kind === 'menu' && (
          <DrillMenu
            mark={open.mark}
            event={open.event}
            subject={{ ...subject, form: open.form }}
            ways={permissions}
            first={firstOf(open.mark)}
            onRows={() => setOpen({ ...open, kind: 'rows' })}
            onBy={(column) =>
              setOpen({ ...open, kind: 'by', step: { filters: open.mark.drill, label: open.mark.label, column } })
            }
            onClose={close}
          />
        )}
        {open.kind === 'rows' && (
          <RowsDialog
            subject={{ ...subject, form: open.form }}
            filters={open.mark.drill}
            label={open.mark.label}
            choice={choice}
            onClose={close}
          />
        )}
        {open.kind === 'by' && (
          <DrillByDialog subject={{ ...subject, form: open.form }} first={open.step} choice={choice} onClose={close} />
        )}
      </Suspense>
    ),
  }
}
