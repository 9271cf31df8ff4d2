/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role -- a figure whose points the arrow keys walk; the frame around it is the figure tag */
import type { Frame } from '@parquetry/frame'
import { toastError, useText } from '@parquetry/ui'
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
import type { ChartForm, Look, Spec } from '../define.ts'
import type { Families } from '../resolve/families/load.ts'
import type { Place } from '../resolve/layer.ts'
import { resolve, type Resolved } from '../resolve/resolve.ts'
import type { Surroundings } from '../resolve/surroundings.ts'
import type { DataTable } from './DataTable.tsx'
import { Legend } from './Legend.tsx'
import { Failed, NoRows } from './messages.tsx'
import { needsOf, PlotCanvas } from './PlotCanvas.tsx'
import { useRoom } from './room.ts'
import { useFamilies } from './use-families.ts'
import { stepped, useOwnSize, type Size } from './use-size.ts'
import { useWalk } from './use-walk.ts'
import type { MarkEvent, ViewProps } from './view.ts'
import styles from './chart-host.module.css'
import './tooltip.css'

export interface PlotProps {
  spec: Spec
  frames: Record<string, Frame>
  form: ChartForm
  look: Look
  title: string
  /** Name of the chart type. */
  kind: string
  surroundings: Pick<Surroundings, 'theme' | 'locale' | 'timeZone' | 'say'>
  selected: Record<string, unknown> | null
  onMark: ViewProps['onMark']
  emptyActions: ReactNode
  moves: (() => boolean) | undefined
  onDrawn: (() => void) | undefined
  onFailed: ((error: Error) => void) | undefined
}

/** A picture that ECharts draws, once the code of its kinds of series is here. */
export function Plot(props: PlotProps) {
  const families = useFamilies(props.spec)
  const { size, ref } = useOwnSize(useRoom())
  if (families === null) return <div className={styles.host} aria-busy="true" />
  // The boundary around it shows and reports what cannot be drawn.
  if (families instanceof Error) throw families
  // Where the room is known before anything stands in it, the picture is resolved once.
  const room = props.spec.legend ? size && besideLegend(size, props.spec.legend) : size
  if (!props.spec.legend && !room) return <div ref={ref} className={styles.host} />
  return <ResolvedPlot {...props} families={families} room={room} />
}

/** Legends above and below are a line each, as high as the last one was. */
const heights: Partial<Record<Resolved['legendPosition'], number>> = {}

/** What a legend leaves of a room; null where nobody knows. */
function besideLegend({ width, height }: Size, legend: Spec['legend']): Size | null {
  const { position = 'top' } = legend as { position?: Resolved['legendPosition'] }
  const taken = heights[position]
  return taken === undefined || taken >= height ? null : { width, height: height - taken }
}

/** Its legend, its keyboard and its data as a table. */
function ResolvedPlot({
  spec,
  frames,
  form,
  look,
  title,
  kind,
  selected,
  onMark,
  families,
  room,
  ...props
}: PlotProps & { families: Families; room: Size | null }) {
  const t = useText()
  const box = useRef<HTMLDivElement>(null)
  const { size, isOther, ref } = useOwnSize(room)
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
  const { theme, locale, timeZone, say } = props.surroundings
  const { width, height } = stepped(size)
  const around = useMemo<Surroundings>(
    () => ({ theme, locale, timeZone, say, width, height, hidden, opened, selected, animate: !prefersStill() }),
    [theme, locale, timeZone, say, width, height, hidden, opened, selected],
  )
  const resolved = useMemo(() => resolve(spec, frames, around, families), [spec, frames, around, families])
  const { legend, legendPosition } = resolved
  const hasLegend = legend.length > 0
  // A legend that the picture turned out to need takes room of it, one that has nothing to say leaves it.
  const isToBeMeasured = !isOther && hasLegend !== Boolean(spec.legend)
  useLayoutEffect(() => {
    const host = box.current?.parentElement
    if (host && size && isOther && hasLegend) heights[legendPosition] = host.clientHeight - size.height
  }, [size, isOther, hasLegend, legendPosition])
  const walk = useWalk(resolved)
  const fail = (error: Error) => {
    setFailure(error)
    props.onFailed?.(error)
  }

  if (failure) return <Failed error={failure} />
  if (resolved.isEmpty && hidden.size === 0 && Object.keys(frames).length > 0)
    return <NoRows actions={props.emptyActions} />

  const open = (place: Place) => {
    const part = resolved.opening(place)
    if (part === undefined) return
    walk.leave()
    setOpened(part)
  }
  const choose = (place: Place, kind: MarkEvent['kind']) => {
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
    const act = walk.place && actOf(event)
    if (act && walk.place) choose(walk.place, act)
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
            key={needsOf(resolved.option)}
            resolved={resolved}
            form={form}
            size={size}
            onMark={onMark}
            onOpen={open}
            moves={props.moves}
            onDrawn={props.onDrawn}
            onFailed={fail}
            walk={walk.place}
          />
        )}
        <span id={describedBy} className={styles.hidden}>
          {resolved.describe(kind)}{' '}
          {t('charts.keys', 'Use the arrow keys to read the data points. Press T to show the data as a table.')}{' '}
          {onMark && t('charts.keysMenu', 'Press D to open the actions for a data point.')}
        </span>
        <span className={styles.hidden} aria-live="polite">
          {walk.said}
        </span>
      </div>
      {Table && (
        <Table
          frames={frames}
          look={look}
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

/** Enter chooses a mark; D and the key for menus ask what can be done with it. */
const actOf = ({ key, shiftKey }: KeyboardEvent): MarkEvent['kind'] | null =>
  key === 'Enter'
    ? 'click'
    : key === 'd' || key === 'D' || key === 'ContextMenu' || (key === 'F10' && shiftKey)
      ? 'menu'
      : null

let stillness: MediaQueryList | undefined
const prefersStill = () => (stillness ??= matchMedia('(prefers-reduced-motion: reduce)')).matches
