import { control } from '../../define.ts'
import { choice } from '../controls.ts'
import type { MarkStyle } from './spec.ts'

const styleLabels = {
  line: 'Line',
  scatter: 'Scatter',
  smooth: 'Smooth line',
  bar: 'Bar',
  start: 'Step, start',
  middle: 'Step, middle',
  end: 'Step, end',
}
export type SeriesStyle = keyof typeof styleLabels

const styleControl = <const S extends SeriesStyle>(styles: readonly S[]) =>
  control(choice(styles, 'line' as S), {
    label: 'Series style',
    group: 'look',
    options: Object.fromEntries(styles.map((style) => [style, styleLabels[style]])),
  })

/** Setting for the style of a series. */
export const seriesStyle = styleControl(['line', 'scatter', 'smooth', 'bar', 'start', 'middle', 'end'])
/** Setting for the style of lines. */
export const lineStyle = styleControl(['line', 'smooth', 'start', 'middle', 'end'])

export const toMarkStyle = (style: SeriesStyle): MarkStyle =>
  style === 'scatter' || style === 'bar' || style === 'line'
    ? { type: style }
    : style === 'smooth'
      ? { type: 'line', smooth: true }
      : { type: 'line', step: style }
