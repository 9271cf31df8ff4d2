import { control } from '../../define.ts'
import { choice } from '../controls.ts'
import type { Marks } from './spec.ts'

const words = {
  line: 'Line',
  scatter: 'Scatter',
  smooth: 'Smooth line',
  bar: 'Bar',
  start: 'Step, start',
  middle: 'Step, middle',
  end: 'Step, end',
}
export type SeriesStyle = keyof typeof words

const styleOf = <const S extends SeriesStyle>(styles: readonly S[]) =>
  control(choice(styles, 'line' as S), {
    label: 'Series style',
    group: 'look',
    options: Object.fromEntries(styles.map((style) => [style, words[style]])),
  })

/** The shape of a series as a setting. */
export const seriesStyle = styleOf(['line', 'scatter', 'smooth', 'bar', 'start', 'middle', 'end'])
/** The same for charts whose series are lines. */
export const lineStyle = styleOf(['line', 'smooth', 'start', 'middle', 'end'])

export const marksOf = (style: SeriesStyle): Marks =>
  style === 'scatter' || style === 'bar' || style === 'line'
    ? { type: style }
    : style === 'smooth'
      ? { type: 'line', smooth: true }
      : { type: 'line', step: style }
