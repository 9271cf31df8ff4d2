import { chartEntry, type Mark } from '@parquetry/charts'
import { ChartHost } from '@parquetry/charts/views'
import { chartNameInLayout, layoutNode, type LayoutNode } from '@parquetry/model'
import { EmptyState, useTranslate, type MenuItem } from '@parquetry/ui'
import { memo, Suspense, useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { findLayerErrors } from '../../shared/annotations/layer-errors.ts'
import { LayerWarning } from '../../shared/annotations/LayerWarning.tsx'
import { boot } from '../../shared/boot.ts'
import { ChartFrame } from '../../shared/ChartFrame.tsx'
import type { DrillSubject } from '../../shared/drill/subject.ts'
import { useDrill, type Drill } from '../../shared/drill/use-drill.tsx'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { isRanking } from '../../shared/ranking.ts'
import { useFiltering } from '../../shared/use-filtering.ts'
import { computeDataTime, type ChartDataResult, type ChartState } from '../data/chart-data.ts'
import type { ChartRecord } from '../document/read-dashboard.ts'
import { useEditItems } from '../edit/use-edit-items.ts'
import { noCrossFilter, toggleCrossFilter, selectedOf } from '../filters/cross-filter.ts'
import { formatEntry } from '../filters/mask.ts'
import { FilterIndicator } from '../filters/FilterIndicator.tsx'
import { resolveChartFilters } from '../filters/chart-filters.ts'
import { useActions, useDashboardState, useChartState, useDashboard } from '../state/context.ts'
import { datasetOfForm } from '../state/dashboard-colors.ts'
import { useChartNames } from '../state/chart-names.ts'
import { findBlockingFilters, colorsOf, toFilteredDashboard } from '../state/chart-request.ts'
import type { DetailKind } from './ChartDetails.tsx'
import { useChartMenu } from './use-chart-menu.ts'
import styles from './Grid.module.css'

const CrossFilterScope = lazyComponent(async () => (await import('../filters/CrossFilterScope.tsx')).CrossFilterScope)
const MissingReferencesNote = lazyComponent(
  async () => (await import('./MissingReferencesNote.tsx')).MissingReferencesNote,
)
const ChartDetails = lazyComponent(async () => (await import('./ChartDetails.tsx')).ChartDetails)

/** Chart of one layout node, wherever its host currently is. */
export function DashboardChart({ nodeId }: { nodeId: string }) {
  const { data } = useDashboard()
  const node = useDashboardState(({ history }) => layoutNode(history.present, nodeId))
  // Renders again with the document, since an added chart is in `data` before it is in the document.
  useDashboardState((state) => state.dashboard)
  const chart = data.chart(node?.meta.chartId ?? -1)
  if (!node) return null
  return chart ? <ExistingChart node={node} chart={chart} /> : <MissingChart node={node} />
}

function MissingChart({ node }: { node: LayoutNode }) {
  const t = useTranslate()
  const isEditing = useDashboardState((state) => state.isEditing)
  const items = useEditItems(node)
  return (
    <ChartFrame
      title={chartNameInLayout(node.meta) ?? ''}
      state={{ phase: 'idle', error: null, since: null }}
      hasPicture={false}
      menu={isEditing ? items : []}
      instead={
        <EmptyState inline level={3} title={t('dashboard.chartGone', 'Chart not found')}>
          {t('dashboard.chartGoneWhy', 'It was deleted, or you don’t have access to it.')}
        </EmptyState>
      }
    />
  )
}

function ExistingChart({ node, chart }: { node: LayoutNode; chart: ChartRecord }) {
  const { data } = useDashboard()
  const [detail, setDetail] = useState<DetailKind | null>(null)
  const state = useChartState(chart.id)
  const isEditing = useDashboardState((board) => board.isEditing)
  const isSource = useDashboardState(({ mask }) => selectedOf(mask[chart.id]) !== undefined)
  const editItems = useEditItems(node)
  const title = node.meta.sliceNameOverride || chart.slice_name
  const { filter } = useActions()
  const [isScoping, setScoping] = useState(false)
  const isCrossFiltering = useCrossFilters(chart)
  const drill = useDrill(useDrillSubject(state.answer, title), useCrossFilterItems(chart))
  const menu = useChartMenu({
    node,
    chart,
    state,
    title,
    openDetail: setDetail,
    drill: drill.items,
    ...(isCrossFiltering && { openScope: () => setScoping(true) }),
  })
  const blockedNotice = useBlockedNotice(chart)
  const canRender = useCanRender(node.id, state.answer !== null)
  return (
    <>
      <ChartFrame
        title={title}
        level={2}
        description={chart.description}
        state={state}
        hasPicture={canRender}
        isToBeDrawn={state.answer !== null && !canRender}
        vizType={String(chart.form_data.viz_type ?? '')}
        facts={buildFacts(state.answer)}
        marks={<Marks chart={chart} state={state} title={title} />}
        menu={isEditing ? editItems : menu}
        instead={blockedNotice}
        onClearCrossFilter={isSource ? () => filter(String(chart.id), noCrossFilter) : undefined}
        why={(otherwise) => (
          <Suspense fallback={otherwise}>
            <MissingReferencesNote chart={chart} fallback={otherwise} />
          </Suspense>
        )}
        onStop={() => data.stop(chart.id)}
        onRetry={() => data.retry(chart.id)}
      >
        {canRender && state.answer && (
          <Picture
            chart={chart}
            answer={state.answer}
            title={title}
            openMenu={isEditing ? undefined : drill.openMenu}
          />
        )}
      </ChartFrame>
      {drill.element}
      {isScoping && (
        <Suspense>
          <CrossFilterScope chartId={chart.id} title={title} onClose={() => setScoping(false)} />
        </Suspense>
      )}
      {detail && (
        <Suspense>
          <ChartDetails kind={detail} title={title} answer={state.answer} onClose={() => setDetail(null)} />
        </Suspense>
      )}
    </>
  )
}

/** Subject for drilling: the chart under the dashboard's filters. */
function useDrillSubject(answer: ChartDataResult | null, title: string): DrillSubject | null {
  const { datasets } = useDashboard()
  const id = useDashboardState(({ dashboard }) => dashboard.result.id)
  return answer && { title, form: answer.form, dataset: datasetOfForm(answer.form, datasets), dashboardId: id }
}

/** Menu item of a mark besides drilling: adds or removes it as a cross-filter. */
function useCrossFilterItems(chart: ChartRecord): (mark: Mark) => MenuItem[] {
  const t = useTranslate()
  const entry = useDashboardState(({ mask }) => mask[chart.id])
  const isCrossFiltering = useCrossFilters(chart)
  const toggle = useToggleCrossFilter(chart)
  return (mark) => {
    if (!isCrossFiltering || mark.filters.length === 0) return []
    const isOn = JSON.stringify(selectedOf(entry)) === JSON.stringify(mark.key)
    return [
      {
        label: isOn
          ? t('dashboard.filterOff', 'Remove cross-filter')
          : t('dashboard.filterBy', 'Filter other charts by this'),
        icon: 'filter',
        onSelect: () => toggle(mark),
      },
    ]
  }
}

/** Adds or removes a mark as a cross-filter, and says so to screen readers. @param adds see `toggleCrossFilter` */
function useToggleCrossFilter(chart: ChartRecord): (mark: Mark, adds?: boolean) => void {
  const t = useTranslate()
  const { announce } = useDashboard()
  const { filter } = useActions()
  const entry = useDashboardState(({ mask }) => mask[chart.id])
  return (mark, adds) => {
    const next = toggleCrossFilter(entry, mark, adds)
    filter(String(chart.id), next)
    announce(
      next === noCrossFilter
        ? t('dashboard.crossFilterRemoved', 'Cross-filter removed')
        : t('dashboard.crossFilterApplied', 'Other charts are filtered by {value}', { value: formatEntry(next) }),
    )
  }
}

/**
 * True if a chart may be drawn. Results that arrive while the tile exists are drawn in slices by `ChartDataLoader`; earlier results,
 * and those of tiles far from the window, wait for their turn.
 */
function useCanRender(id: string, isReady: boolean): boolean {
  const { hosts, renderQueue, proximity } = useDashboard()
  const [wasReady] = useState(isReady)
  const [, forceRender] = useState(0)
  const canRender = isReady && (renderQueue.hasRendered(id) || (!wasReady && !renderQueue.isOffscreen(id)))
  useEffect(() => proximity.watch(id, hosts.of(id)), [proximity, hosts, id])
  useEffect(() => {
    // Recorded without React state, which would draw each first result twice.
    if (canRender) renderQueue.markRendered(id)
    return isReady && !canRender ? renderQueue.enqueue(id, () => forceRender((count) => count + 1)) : undefined
  }, [renderQueue, id, isReady, canRender])
  useEffect(() => () => renderQueue.forget(id), [renderQueue, id])
  return canRender
}

/** Message in place of the chart that names required filters without a value. */
function useBlockedNotice(chart: ChartRecord) {
  const t = useTranslate()
  const dashboard = useDashboardState((board) => board.dashboard)
  const mask = useDashboardState((board) => board.mask)
  const awaited = useDashboardState((state) => state.awaited)
  // While the first value of a filter is loading, the user has nothing to choose.
  const filters = findBlockingFilters(toFilteredDashboard(dashboard, dashboard.layout.nodes), mask, chart.id).filter(
    ({ id }) => !awaited.includes(id),
  )
  if (filters.length === 0) return undefined
  const names = filters.map(({ name }) => name).join(', ')
  return (
    <EmptyState
      inline
      level={3}
      title={t('dashboard.chooseFirst', 'Choose a value for {names} to see this chart', { names })}
    />
  )
}

function Marks({ chart, state, title }: { chart: ChartRecord; state: ChartState; title: string }) {
  const dashboard = useDashboardState((board) => board.dashboard)
  const mask = useDashboardState((board) => board.mask)
  const nameOf = useChartNames()
  const { datasets } = useDashboard()
  const filters = useMemo(() => {
    const board = toFilteredDashboard(dashboard, dashboard.layout.nodes)
    return resolveChartFilters(
      board,
      mask,
      chart.id,
      chart.form_data,
      state.answer,
      nameOf,
      datasetOfForm(chart.form_data, datasets),
    )
  }, [dashboard, mask, chart, state.answer, nameOf, datasets])
  const errors = useLayerErrors(state.answer)
  return (
    <>
      <LayerWarning errors={errors} />
      <FilterIndicator filters={filters} title={title} />
    </>
  )
}

function useLayerErrors(answer: ChartDataResult | null) {
  const t = useTranslate()
  return useMemo(() => {
    const [first] = Object.values(answer?.facts ?? {})
    return answer ? findLayerErrors(answer.form, first?.annotations, t) : []
  }, [answer, t])
}

function buildFacts(answer: ChartDataResult | null) {
  const [first] = Object.values(answer?.facts ?? {})
  if (!answer || !first) return null
  const limit = Number(answer.form.row_limit)
  return {
    rowcount: first.header.rowcount,
    readRows: first.header.sql_rowcount,
    rowLimit: Number.isFinite(limit) && limit > 0 ? limit : null,
    isRanking: isRanking(answer.form),
    truncated: first.header.truncated,
    cachedAt: first.is_cached ? computeDataTime(answer) : null,
  }
}

/** Maximum number of charts that animate at the same time; the eye cannot follow more. */
const maxAnimatedCharts = 3

/** Independent of the pending query, so that loading does not redraw the chart. */
const Picture = memo(function Picture({
  chart,
  answer,
  title,
  openMenu,
}: {
  chart: ChartRecord
  answer: ChartDataResult
  title: string
  /** Opens the menu of a mark; undefined if it has no actions. */
  openMenu: Drill['openMenu']
}) {
  const { data, datasets, colors } = useDashboard()
  const { filter } = useActions()
  const dashboard = useDashboardState((board) => board.dashboard)
  const entry = useDashboardState(({ mask }) => mask[chart.id])
  const isCrossFiltering = useCrossFilters(chart)
  const toggle = useToggleCrossFilter(chart)
  const isEditing = useDashboardState((state) => state.isEditing)
  const filtering = useFiltering({
    form: answer.form,
    dataset: datasetOfForm(answer.form, datasets),
    filterState: entry?.filterState,
    onMask: isEditing ? undefined : (next) => filter(String(chart.id), next),
  })
  const form = useMemo(() => ({ ...answer.form, ...colorsOf(dashboard.metadata) }), [answer.form, dashboard])
  // Charts report the mark but not the modifier keys.
  const adds = useRef(false)
  const holdsKey = (event: KeyboardEvent | PointerEvent) => {
    adds.current = event.ctrlKey || event.metaKey || event.shiftKey
  }
  return (
    <div className={styles.host} onPointerDownCapture={holdsKey} onKeyDownCapture={holdsKey}>
      <ChartHost
        form={form}
        frames={answer.frames}
        until={Object.values(answer.facts)[0]?.until}
        annotations={Object.values(answer.facts)[0]?.annotations?.data}
        title={title}
        colors={colors(form)}
        dataset={datasetOfForm(form, datasets)}
        state={data.stateOf(chart.id)}
        onState={(state) => data.setState(chart.id, state)}
        selected={selectedOf(entry)}
        filtering={filtering}
        moves={() => data.states.lastBatchSize() <= maxAnimatedCharts}
        onMark={
          isCrossFiltering || openMenu
            ? (mark, event) => {
                const isFilter = event.kind === 'click' && isCrossFiltering
                if (isFilter) toggle(mark, adds.current)
                else openMenu?.(mark, event)
              }
            : undefined
        }
      />
    </div>
  )
})

function useCrossFilters(chart: ChartRecord): boolean {
  const isOn = useDashboardState(({ dashboard }) => dashboard.metadata.cross_filters_enabled !== false)
  const isEditing = useDashboardState((state) => state.isEditing)
  const behaviors = chartEntry(String(chart.form_data.viz_type ?? ''))?.behaviors ?? []
  return (
    isOn &&
    !isEditing &&
    boot.common.feature_flags.DASHBOARD_CROSS_FILTERS === true &&
    behaviors.includes('INTERACTIVE_CHART')
  )
}
