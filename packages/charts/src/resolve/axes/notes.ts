import { formatter } from '../../shared/formats/format.ts'
import type { NoteFamily, SpecSeries, Stretch } from '../families/family.ts'
import type { LegendEntry } from '../layer.ts'
import { drawnColor, othersColor } from '../paint.ts'
import type { Surroundings } from '../surroundings.ts'
import { fullFormat, type SpecTooltip, type TipNote } from '../tooltip.ts'
import type { Plot } from './plot.ts'
import type { Axes } from './read-axes.ts'

export interface GivenNote {
  series: SpecSeries
  family: NoteFamily
}

/** What is laid over the plots of a picture. */
export interface Notes {
  series: Record<string, unknown>[]
  legend: LegendEntry[]
  /** Places that the axis must show as well. */
  reach: readonly number[]
  /** A sentence, where there is something to say. */
  described: string[]
  /** What is said at a place of a plot. */
  at(plot: Plot | undefined, at: number): TipNote[]
}

const mostNotes = 8

/** @param plots what they are laid over, hidden ones included */
export function notesOn(
  given: readonly GivenNote[],
  plots: readonly Plot[],
  { tooltip, reading: { axis, isFlipped } }: { tooltip: SpecTooltip; reading: Axes },
  around: Surroundings,
): Notes {
  const shown = given.filter(({ series }) => !around.hidden?.has(series.name ?? ''))
  const kinds = [...new Set(shown.map(({ family }) => family))]
  const names = shown.map(({ series }) => series.name ?? '')
  const place = { axis: axis.type, isFlipped, span: spanOf(plots) }
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
        ? [around.say('picture.describe.notes', 'Annotated with {names}.', { names: names.join(', ') })]
        : [],
    at(plot, at) {
      if (!plot) return []
      const stretch = stretchOf(plot, at)
      return shown
        .flatMap(({ series, family }): TipNote[] =>
          family.said(series, stretch, axis.type, write).map((text) => ({
            name: series.name ?? '',
            color: drawnColor(series.color ?? othersColor, around.theme),
            text,
          })),
        )
        .slice(0, mostNotes)
    },
  }
}

function spanOf(plots: readonly Plot[]): readonly [number, number] | null {
  let [low, high] = [Infinity, -Infinity]
  for (const { x } of plots)
    for (const at of x) {
      if (typeof at !== 'number') continue
      low = Math.min(low, at)
      high = Math.max(high, at)
    }
  return low <= high ? [low, high] : null
}

/** Up to the next place; the last one is taken to be as long as the one before it. */
function stretchOf({ x }: Plot, at: number): Stretch {
  const here = x[at]
  if (typeof here !== 'number') return { at, from: null, to: 0 }
  const [next, before] = [x[at + 1], x[at - 1]]
  const step = typeof next === 'number' ? next - here : typeof before === 'number' ? here - before : Infinity
  return { at, from: here, to: here + Math.abs(step) }
}
