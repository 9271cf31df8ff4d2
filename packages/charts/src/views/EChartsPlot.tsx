/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role -- a figure whose points the arrow keys walk; the frame around it is the figure tag */
import type { Frame } from '@parquetry/frame'
import { toastError, useTranslate } from '@parquetry/ui'
import {
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import type { ChartForm, SpecContext, Spec } from '../define.ts'
import type { Families } from '../resolve/families/load.ts'
import type { MarkRef } from '../resolve/layer.ts'
import { resolveSpec, type ResolvedChart } from '../resolve/resolve-spec.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import type { DataTable } from './DataTable.tsx'
import { Legend } from './Legend.tsx'
import { ChartError, EmptyChart } from './messages.tsx'
import { buildEngineKey, PlotCanvas } from './PlotCanvas.tsx'
import { useKnownSize } from './chart-size.ts'
import { useFamilies } from './use-families.ts'
import { roundSize, useElementSize, type Size } from './use-size.ts'
import { useMarkNavigation } from './use-mark-navigation.ts'
import type { MarkEvent, ViewProps } from './view.ts'
import styles from './chart-host.module.css'
import './tooltip.css'

export interface EChartsPlotProps {
  spec: Spec
  frames: Record<string, Frame>
  form: ChartForm
  context: SpecContext
  title: string
  /** Name of the chart type. */
  kind: string
  renderContext: Pick<RenderContext, 'theme' | 'locale' | 'timeZone' | 'translate'>
  selected: Record<string, unknown> | null
  onMark: ViewProps['onMark']
  emptyActions: ReactNode
  moves: (() => boolean) | undefined
  onDrawn: (() => void) | undefined
  onFailed: ((error: Error) => void) | undefined
}

/** A chart drawn by ECharts, once the code of its series types is loaded. */
export function EChartsPlot(props: EChartsPlotProps) {
  const families = useFamilies(props.spec)
  const { size, ref } = useElementSize(useKnownSize())
  if (families === null) return <div className={styles.host} aria-busy="true" />
  // The surrounding boundary shows and reports the error.
  if (families instanceof Error) throw families
  // If the size is known before layout, the chart is resolved only once.
  const room = props.spec.legend ? size && besideLegend(size, props.spec.legend) : size
  if (!props.spec.legend && !room) return <div ref={ref} className={styles.host} />
  return <ResolvedPlot {...props} families={families} room={room} />
}

/** Last measured height of legends above and below, which take one line each. */
const heights: Partial<Record<ResolvedChart['legendPosition'], number>> = {}

/** Size without the legend; null when the height of the legend is unknown. */
function besideLegend({ width, height }: Size, legend: Spec['legend']): Size | null {
  const { position = 'top' } = legend as { position?: ResolvedChart['legendPosition'] }
  const taken = heights[position]
  return taken === undefined || taken >= height ? null : { width, height: height - taken }
}

/** The chart with its legend, keyboard control and data table. */
function ResolvedPlot({
  spec,
  frames,
  form,
  context,
  title,
  kind,
  selected,
  onMark,
  families,
  room,
  ...props
}: EChartsPlotProps & { families: Families; room: Size | null }) {
  const t = useTranslate()
  const box = useRef<HTMLDivElement>(null)
  const { size, differsFromExpected, ref } = useElementSize(room)
  const measured = useCallback(
    (element: HTMLDivElement | null) => {
      box.current = element
      return ref(element)
    },
    [ref],
  )
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<string | null>(null)
  const [Table, setTable] = useState<typeof DataTable | null>(null)
  const [failure, setFailure] = useState<Error | null>(null)
  const describedBy = useId()
  const { theme, locale, timeZone, translate } = props.renderContext
  const { width, height } = roundSize(size)
  const around = useMemo<RenderContext>(
    () => ({
      theme,
      locale,
      timeZone,
      translate,
      width,
      height,
      hidden,
      opened,
      selected,
      animate: !prefersReducedMotion(),
    }),
    [theme, locale, timeZone, translate, width, height, hidden, opened, selected],
  )
  const resolved = useMemo(() => resolveSpec(spec, frames, around, families), [spec, frames, around, families])
  const { legend, legendPosition } = resolved
  const hasLegend = legend.length > 0
  // The legend appeared or disappeared contrary to the spec, so the size must be measured again.
  const isToBeMeasured = !differsFromExpected && hasLegend !== Boolean(spec.legend)
  useLayoutEffect(() => {
    const host = box.current?.parentElement
    if (host && size && differsFromExpected && hasLegend) heights[legendPosition] = host.clientHeight - size.height
  }, [size, differsFromExpected, hasLegend, legendPosition])
  const walk = useMarkNavigation(resolved)
  const fail = (error: Error) => {
    setFailure(error)
    props.onFailed?.(error)
  }

  if (failure) return <ChartError error={failure} />
  if (resolved.isEmpty && hidden.size === 0 && Object.keys(frames).length > 0)
    return <EmptyChart actions={props.emptyActions} />

  const open = (place: MarkRef) => {
    const part = resolved.opening(place)
    if (part === undefined) return
    walk.leave()
    setOpened(part)
  }
  const choose = (place: MarkRef, kind: MarkEvent['kind']) => {
    if (kind === 'click') open(place)
    const mark = resolved.mark(place, form)
    const { left = 0, top = 0, width: wide = 0, height: high = 0 } = box.current?.getBoundingClientRect() ?? {}
    if (mark) onMark?.(mark, { kind, x: left + wide / 2, y: top + high / 2, byKey: true })
  }
  const showTable = () =>
    void import('./DataTable.tsx').then(
      (loaded) => setTable(() => loaded.DataTable),
      () => toastError(t('charts.noTable', 'Could not load the table. Try again.')),
    )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const isTableKey = event.key === 't' || event.key === 'T'
    if (isTableKey) showTable()
    const act = walk.mark && toMarkEventKind(event)
    if (act && walk.mark) choose(walk.mark, act)
    if (!isTableKey && !act && !walk.onKey(event)) return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className={styles.host} data-legend={hasLegend ? legendPosition : undefined}>
      {hasLegend && <Legend entries={legend} position={legendPosition} hidden={hidden} onHidden={setHidden} />}
      <div
        ref={measured}
        className={styles.plot}
        role="figure"
        aria-label={title}
        aria-describedby={describedBy}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={walk.leave}
      >
        {size && !isToBeMeasured && (
          <PlotCanvas
            key={buildEngineKey(resolved.option)}
            resolved={resolved}
            form={form}
            size={size}
            onMark={onMark}
            onOpen={open}
            moves={props.moves}
            onDrawn={props.onDrawn}
            onFailed={fail}
            focusedMark={walk.mark}
          />
        )}
        <span id={describedBy} className={styles.hidden}>
          {resolved.describe(kind)}{' '}
          {t('charts.keys', 'Use the arrow keys to read the data points. Press T to show the data as a table.')}{' '}
          {onMark && t('charts.keysMenu', 'Press D to open the actions for a data point.')}
        </span>
        <span className={styles.hidden} aria-live="polite">
          {walk.announcement}
        </span>
      </div>
      {Table && (
        <Table
          frames={frames}
          context={context}
          around={around}
          title={title}
          onClose={() => {
            setTable(null)
            box.current?.focus()
          }}
        />
      )}
    </div>
  )
}

/** Enter selects a mark; D and the menu keys open its menu. */
const toMarkEventKind = ({ key, shiftKey }: KeyboardEvent): MarkEvent['kind'] | null =>
  key === 'Enter'
    ? 'click'
    : key === 'd' || key === 'D' || key === 'ContextMenu' || (key === 'F10' && shiftKey)
      ? 'menu'
      : null

let reducedMotionQuery: MediaQueryList | undefined
const prefersReducedMotion = () => (reducedMotionQuery ??= matchMedia('(prefers-reduced-motion: reduce)')).matches
