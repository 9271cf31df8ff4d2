import type { Frame } from '@parquetry/frame'
import { useTheme, useWords } from '@parquetry/ui'
import { useEffect, useEffectEvent, useMemo, type ReactNode } from 'react'
import type { ChartForm } from '../define.ts'
import { lookOf, type DatasetLook, type LookOptions } from '../look.ts'
import { drawnForm } from '../query/build-query-context.ts'
import { upgradeForm } from '../registry.ts'
import type { Mark } from '../resolve/marks.ts'
import { themes } from '../resolve/theme.ts'
import type { ColorScale } from '../shared/colors/scale.ts'
import { withTemporalColumns } from '../temporal-columns.ts'
import { chartTextId } from '../catalog-ids.ts'
import { DrawingBoundary } from './DrawingBoundary.tsx'
import { Failed, NoRows, Unsupported } from './messages.tsx'
import { Plot } from './Plot.tsx'
import { useChart, type LoadedChart } from './use-chart.ts'
import { useRoom } from './room.ts'
import { useOwnSize } from './use-size.ts'
import type { Filtering, MarkEvent } from './view.ts'
import styles from './chart-host.module.css'

export interface ChartHostProps {
  /** The form that was asked, dashboard filters laid over it; `viz_type` says which chart draws. */
  form: ChartForm
  /** Answers under the names of the chart's queries. */
  frames: Record<string, Frame>
  /** Name of the picture for screen readers: the chart's title. */
  title: string
  dataset?: DatasetLook | undefined
  /** Those of a dashboard (`scaleOf`), the same function while they are the same; else the form's scheme. */
  colors?: ColorScale | undefined
  timeZone?: string | undefined
  /** Up to where the answer reaches in time, in milliseconds (`until` of its head). */
  until?: number | null | undefined
  /** What its annotation layers hold (`annotations.data` of its head). */
  annotations?: LookOptions['annotations']
  /** The chart's own part of the data mask, and its change: page, sort, search of a table. */
  state?: Record<string, unknown> | undefined
  onState?: ((state: Record<string, unknown>) => void) | undefined
  /** The picture changed settings of its form, as the view of a map. Without it there is no such button. */
  onSetting?: ((settings: ChartForm) => void) | undefined
  /** A mark was clicked, entered or asked for its menu. Without it marks do nothing. */
  onMark?: ((mark: Mark, event: MarkEvent) => void) | undefined
  /** For a chart of filters; without it these can be looked at and not used. */
  filtering?: Filtering | undefined
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
  if (found === 'unsupported') return <Unsupported />
  if (found instanceof Error) return <Failed error={found} />
  return (
    <DrawingBoundary key={viz_type} frames={props.frames} onFailed={props.onFailed}>
      <Drawn {...props} {...found} />
    </DrawingBoundary>
  )
}

function Drawn({ form, frames, title, chart, View, ...props }: ChartHostProps & LoadedChart) {
  const { dataset, colors, timeZone = 'UTC', until = null, annotations, selected = null } = props
  const { messages, say, locale } = useWords()
  const theme = themes[useTheme()]
  const settled = useMemo(
    () => drawnForm(chart, withTemporalColumns(chart, upgradeForm(chart, form), dataset)),
    [chart, form, dataset],
  )
  const look = useMemo(
    () => lookOf(settled, { dataset, colors, messages, locale, timeZone, until, annotations }),
    [settled, dataset, colors, messages, locale, timeZone, until, annotations],
  )
  const spec = useMemo(() => chart.spec(frames, settled, look), [chart, frames, settled, look])
  const { size, ref } = useOwnSize(useRoom())
  const common = { spec, frames, form: settled, look, onMark: props.onMark }

  const isSelfDrawn = View !== null && size !== null
  const drawn = useEffectEvent(() => props.onDrawn?.())
  useEffect(() => {
    if (isSelfDrawn) drawn()
  }, [isSelfDrawn, spec])

  if (!View)
    return (
      <Plot
        {...common}
        title={title}
        kind={say(chartTextId(chart.viz_type, 'name'), chart.name)}
        surroundings={{ theme, locale, timeZone, say }}
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
      {isEmpty && <NoRows actions={props.emptyActions} />}
      {!isEmpty && size && (
        <View
          {...common}
          around={{ theme, locale, timeZone, say, ...size, selected }}
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
