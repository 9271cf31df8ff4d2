import { formatter } from '../../shared/formats/format.ts'
import type { NoteFamily, SpecSeries, AxisInterval } from '../families/family.ts'
import type { LegendEntry } from '../layer.ts'
import { toThemeColor, othersColor } from '../paint.ts'
import type { RenderContext } from '../render-context.ts'
import { fullFormat, type SpecTooltip, type TooltipNote } from '../tooltip.ts'
import type { Plot } from './plot.ts'
import type { AxesContext } from './read-axes.ts'

export interface NoteSeries {
  series: SpecSeries
  family: NoteFamily
}

/** Annotations over the plots of a chart. */
export interface NotesOverlay {
  series: Record<string, unknown>[]
  legend: LegendEntry[]
  /** Positions that the axis must include as well. */
  reach: readonly number[]
  /** One sentence if there are annotations, otherwise empty. */
  described: string[]
  /** Annotations that apply at a position of a plot. */
  at(plot: Plot | undefined, index: number): TooltipNote[]
}

const maxNotes = 8

/** @param plots plots below the annotations, including hidden ones */
export function buildNotesOverlay(
  given: readonly NoteSeries[],
  plots: readonly Plot[],
  { tooltip, reading: { axis, isFlipped } }: { tooltip: SpecTooltip; reading: AxesContext },
  around: RenderContext,
): NotesOverlay {
  const shown = given.filter(({ series }) => !around.hidden?.has(series.name ?? ''))
  const kinds = [...new Set(shown.map(({ family }) => family))]
  const names = shown.map(({ series }) => series.name ?? '')
  const place = { axis: axis.type, isFlipped, span: computeSpan(plots) }
  const write = formatter(fullFormat(tooltip.rows?.[0]?.format), around.locale)
  return {
    series: kinds.flatMap((family) =>
      family.option(
        shown.filter((each) => each.family === family).map(({ series }) => series),
        place,
        around,
      ),
    ),
    legend: given
      .filter(({ series }) => series.legend !== false)
      .map(({ series: { name = '', color = othersColor } }) => ({ name, color })),
    reach: shown.flatMap(({ series, family }) => family.reach(series, place)),
    described:
      names.length > 0
        ? [around.translate('picture.describe.notes', 'Annotated with {names}.', { names: names.join(', ') })]
        : [],
    at(plot, index) {
      if (!plot) return []
      const stretch = intervalAt(plot, index)
      return shown
        .flatMap(({ series, family }): TooltipNote[] =>
          family.textsAt(series, stretch, axis.type, write).map((text) => ({
            name: series.name ?? '',
            color: toThemeColor(series.color ?? othersColor, around.theme),
            text,
          })),
        )
        .slice(0, maxNotes)
    },
  }
}

function computeSpan(plots: readonly Plot[]): readonly [number, number] | null {
  let [low, high] = [Infinity, -Infinity]
  for (const { x } of plots)
    for (const at of x) {
      if (typeof at !== 'number') continue
      low = Math.min(low, at)
      high = Math.max(high, at)
    }
  return low <= high ? [low, high] : null
}

/** Range from a position to the next one; the last one is assumed to be as long as the one before it. */
function intervalAt({ x }: Plot, index: number): AxisInterval {
  const here = x[index]
  if (typeof here !== 'number') return { at: index, from: null, to: 0 }
  const [next, before] = [x[index + 1], x[index - 1]]
  const step = typeof next === 'number' ? next - here : typeof before === 'number' ? here - before : Infinity
  return { at: index, from: here, to: here + Math.abs(step) }
}
