import type { Frame } from '@parquetry/frame'
import { useTheme, useI18n } from '@parquetry/ui'
import { useEffect, useEffectEvent, useMemo, type ReactNode } from 'react'
import type { ChartForm } from '../define.ts'
import { buildSpecContext, type DatasetDisplay, type SpecContextOptions } from '../spec-context.ts'
import { resolveForm } from '../query/build-query-context.ts'
import { upgradeForm } from '../registry.ts'
import type { Mark } from '../resolve/marks.ts'
import { themes } from '../resolve/theme.ts'
import type { ColorScale } from '../shared/colors/scale.ts'
import { withTemporalColumns } from '../temporal-columns.ts'
import { chartTextId } from '../catalog-ids.ts'
import { ChartErrorBoundary } from './ChartErrorBoundary.tsx'
import { ChartError, EmptyChart, UnsupportedChart } from './messages.tsx'
import { EChartsPlot } from './EChartsPlot.tsx'
import { useChart, type LoadedChart } from './use-chart.ts'
import { useKnownSize } from './chart-size.ts'
import { useElementSize } from './use-size.ts'
import type { FilterHost, MarkEvent } from './view.ts'
import styles from './chart-host.module.css'

export interface ChartHostProps {
  /** The form that was asked, dashboard filters laid over it; `viz_type` says which chart draws. */
  form: ChartForm
  /** Answers under the names of the chart's queries. */
  frames: Record<string, Frame>
  /** Name of the picture for screen readers: the chart's title. */
  title: string
  dataset?: DatasetDisplay | undefined
  /** Those of a dashboard (`scaleOf`), the same function while they are the same; else the form's scheme. */
  colors?: ColorScale | undefined
  timeZone?: string | undefined
  /** Up to where the answer reaches in time, in milliseconds (`until` of its head). */
  until?: number | null | undefined
  /** What its annotation layers hold (`annotations.data` of its head). */
  annotations?: SpecContextOptions['annotations']
  /** The chart's own part of the data mask, and its change: page, sort, search of a table. */
  state?: Record<string, unknown> | undefined
  onState?: ((state: Record<string, unknown>) => void) | undefined
  /** The picture changed settings of its form, as the view of a map. Without it there is no such button. */
  onSetting?: ((settings: ChartForm) => void) | undefined
  /** A mark was clicked, entered or asked for its menu. Without it marks do nothing. */
  onMark?: ((mark: Mark, event: MarkEvent) => void) | undefined
  /** For a chart of filters; without it these can be looked at and not used. */
  filtering?: FilterHost | undefined
  /** `key` of the mark that filters others: the rest is faded. */
  selected?: Record<string, unknown> | null | undefined
  /** Buttons under “No rows for these filters”. */
  emptyActions?: ReactNode
  /** Asked when other data comes: whether marks move to their new places. Where many pictures change at once nobody can follow. */
  moves?: (() => boolean) | undefined
  onDrawn?: (() => void) | undefined
  /** The picture could not be drawn (CHART-007); the panel is shown already. */
  onFailed?: ((error: Error) => void) | undefined
}

/**
 * Draws a chart's answer: loads its code, resolves its spec for the theme and the room at hand, and makes marks of clicks and
 * keys. Neither theme nor size runs the chart's `spec` again, and none of them asks a query. What goes on while there is no
 * answer is the frame's around it.
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
  const theme = themes[useTheme()]
  const settled = useMemo(
    () => resolveForm(chart, withTemporalColumns(chart, upgradeForm(chart, form), dataset)),
    [chart, form, dataset],
  )
  const look = useMemo(
    () => buildSpecContext(settled, { dataset, colors, messages, locale, timeZone, until, annotations }),
    [settled, dataset, colors, messages, locale, timeZone, until, annotations],
  )
  const spec = useMemo(() => chart.spec(frames, settled, look), [chart, frames, settled, look])
  const { size, ref } = useElementSize(useKnownSize())
  const common = { spec, frames, form: settled, look, onMark: props.onMark }

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
  // What a reader's own search does not find is the chart's to say: its search box stays.
  // A filter without values can still be taken away.
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
