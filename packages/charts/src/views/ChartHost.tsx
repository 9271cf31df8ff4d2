import type { Frame } from '@parquetry/frame'
import { useTheme, useThemeVariables, useI18n } from '@parquetry/ui'
import { useContext, useEffect, useEffectEvent, useMemo, type ReactNode } from 'react'
import type { ChartForm } from '../define.ts'
import { buildSpecContext, type DatasetDisplay, type SpecContextOptions } from '../spec-context.ts'
import { resolveForm } from '../query/build-query-context.ts'
import { upgradeForm } from '../registry.ts'
import type { Mark } from '../resolve/marks.ts'
import { resolveChartTheme } from '../resolve/chart-theme.ts'
import type { ColorScale } from '../shared/colors/scale.ts'
import { withTemporalColumns } from '../temporal-columns.ts'
import { chartTextId } from '../catalog-ids.ts'
import { AnalogousColorsContext } from './analogous-colors.ts'
import { ChartErrorBoundary } from './ChartErrorBoundary.tsx'
import { ChartError, EmptyChart, UnsupportedChart } from './messages.tsx'
import { EChartsPlot } from './EChartsPlot.tsx'
import { useChart, type LoadedChart } from './use-chart.ts'
import { useKnownSize } from './chart-size.ts'
import { useElementSize } from './use-size.ts'
import type { FilterHost, MarkEvent } from './view.ts'
import styles from './chart-host.module.css'

export interface ChartHostProps {
  /** The queried form with dashboard filters applied; `viz_type` determines the chart. */
  form: ChartForm
  /** Responses by the names of the chart's queries. */
  frames: Record<string, Frame>
  /** Name of the chart for screen readers: its title. */
  title: string
  dataset?: DatasetDisplay | undefined
  /** Colors of a dashboard (`scaleOf`), with a stable identity while they are unchanged; defaults to the scheme of the form. */
  colors?: ColorScale | undefined
  timeZone?: string | undefined
  /** End of the time range of the response, in milliseconds (`until` of its head). */
  until?: number | null | undefined
  /** Data of the annotation layers (`annotations.data` of its head). */
  annotations?: SpecContextOptions['annotations']
  /** The chart's part of the data mask, and its change: page, sort and search of a table. */
  state?: Record<string, unknown> | undefined
  onState?: ((state: Record<string, unknown>) => void) | undefined
  /** Called when the chart changes settings of its form, such as the view of a map. Without it there is no button for this. */
  onSetting?: ((settings: ChartForm) => void) | undefined
  /** Called when a mark is clicked, entered or its menu is requested. Without it marks are inactive. */
  onMark?: ((mark: Mark, event: MarkEvent) => void) | undefined
  /** Used by filter charts; without it they are read-only. */
  filtering?: FilterHost | undefined
  /** `key` of the mark that filters others; all other marks are faded. */
  selected?: Record<string, unknown> | null | undefined
  /** Buttons below “No rows match these filters”. */
  emptyActions?: ReactNode
  /**
   * Called on new data; returns true if marks are animated to their new positions. Animation is of no use when many charts change
   * at the same time.
   */
  moves?: (() => boolean) | undefined
  onDrawn?: (() => void) | undefined
  /** Called when the chart could not be drawn (CHART-007); the error panel is already shown. */
  onFailed?: ((error: Error) => void) | undefined
}

/**
 * Draws the response of a chart: loads its code, resolves its spec for the theme and the available space, and converts clicks and
 * keys into marks. Changes of theme or size neither rerun the chart's `spec` nor query data. Loading states are handled by the
 * surrounding frame.
 */
export function ChartHost(props: ChartHostProps) {
  const viz_type = typeof props.form.viz_type === 'string' ? props.form.viz_type : ''
  const found = useChart(viz_type)
  if (found === null) return <div className={styles.host} aria-busy="true" />
  if (found === 'unsupported') return <UnsupportedChart />
  if (found instanceof Error) return <ChartError error={found} />
  return (
    <ChartErrorBoundary key={viz_type} frames={props.frames} onFailed={props.onFailed}>
      <ChartRenderer {...props} {...found} />
    </ChartErrorBoundary>
  )
}

function ChartRenderer({ form, frames, title, chart, View, ...props }: ChartHostProps & LoadedChart) {
  const { dataset, colors, timeZone = 'UTC', until = null, annotations, selected = null } = props
  const { messages, translate, locale } = useI18n()
  const isAnalogous = useContext(AnalogousColorsContext)
  const theme = resolveChartTheme(useTheme(), useThemeVariables())
  const settled = useMemo(
    () => resolveForm(chart, withTemporalColumns(chart, upgradeForm(chart, form), dataset)),
    [chart, form, dataset],
  )
  const context = useMemo(
    () => buildSpecContext(settled, { dataset, colors, isAnalogous, messages, locale, timeZone, until, annotations }),
    [settled, dataset, colors, isAnalogous, messages, locale, timeZone, until, annotations],
  )
  const spec = useMemo(() => chart.spec(frames, settled, context), [chart, frames, settled, context])
  const { size, ref } = useElementSize(useKnownSize())
  const common = { spec, frames, form: settled, context, onMark: props.onMark }

  const isSelfDrawn = View !== null && size !== null
  const drawn = useEffectEvent(() => props.onDrawn?.())
  useEffect(() => {
    if (isSelfDrawn) drawn()
  }, [isSelfDrawn, spec])

  if (!View)
    return (
      <EChartsPlot
        {...common}
        title={title}
        kind={translate(chartTextId(chart.viz_type, 'name'), chart.name)}
        renderContext={{ theme, locale, timeZone, translate }}
        selected={selected}
        emptyActions={props.emptyActions}
        moves={props.moves}
        onDrawn={props.onDrawn}
        onFailed={props.onFailed}
      />
    )
  // A chart handles empty results of its own search, because its search box must stay. A filter without values can still be
  // cleared.
  const hasWords = props.state?.['searchText'] || chart.behaviors.includes('NATIVE_FILTER')
  const isEmpty = Object.values(frames)[0]?.rows === 0 && !hasWords
  return (
    <div ref={ref} className={styles.host}>
      {isEmpty && <EmptyChart actions={props.emptyActions} />}
      {!isEmpty && size && (
        <View
          {...common}
          around={{ theme, locale, timeZone, translate, ...size, selected }}
          label={title}
          state={props.state ?? {}}
          filtering={props.filtering}
          onState={props.onState}
          onSetting={props.onSetting}
        />
      )}
    </div>
  )
}
