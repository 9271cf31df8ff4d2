import { control } from '../../define.ts'
import { choice } from '../controls.ts'
import type { Marks } from './spec.ts'

const styles = ['line', 'scatter', 'smooth', 'bar', 'start', 'middle', 'end'] as const
export type SeriesStyle = (typeof styles)[number]

/** The shape of a series as a setting. */
export const seriesStyle = control(choice(styles, 'line'), {
  label: 'Series style',
  group: 'look',
  options: {
    line: 'Line',
    scatter: 'Scatter',
    smooth: 'Smooth line',
    bar: 'Bar',
    start: 'Step, start',
    middle: 'Step, middle',
    end: 'Step, end',
  },
})

export const marksOf = (style: SeriesStyle): Marks =>
  style === 'scatter' || style === 'bar' || style === 'line'
    ? { type: style }
    : style === 'smooth'
      ? { type: 'line', smooth: true }
      : { type: 'line', step: style }
