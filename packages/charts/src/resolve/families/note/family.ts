import { CustomChart } from 'echarts/charts'
import { drawnColor } from '../../paint.ts'
import { asNotes, type SpecSeries } from '../family.ts'
import { drawLabels, drawMarks, type NoteMark, type RenderApi, type RenderParams } from './draw.ts'

const marksOf = ({ data = [] }: SpecSeries) => data as unknown as NoteMark[]

/** One item, which draws all: it stands nowhere, so that it moves no axis. */
const data = [[NaN, NaN]]
const still = {
  type: 'custom',
  silent: true,
  animation: false,
  tooltip: { show: false },
  emphasis: { disabled: true },
  data,
}

/** Events and spans of time, over and behind the data; the labels of all of them share the room at the top. */
export default asNotes({
  parts: [CustomChart],
  option: (all, { axis, isFlipped }, around) => {
    const drawn = all.map((series) => ({
      marks: marksOf(series),
      color: drawnColor(series.color ?? '', around.theme),
      lineStyle: series.lineStyle as { type: string | number[]; width: number; opacity: number },
    }))
    if (axis === 'category') return []
    const labelled = drawn.flatMap(({ marks, color }, at) =>
      all[at]?.label ? marks.map((mark) => ({ ...mark, color })) : [],
    )
    return [
      ...drawn.map((each, at) => ({
        ...still,
        id: `note ${at} ${all[at]?.name}`,
        name: all[at]?.name,
        color: each.color,
        z: each.marks.some(({ to }) => to !== undefined) ? 1 : 3,
        renderItem: (params: RenderParams, api: RenderApi) => drawMarks(each, isFlipped, params, api),
      })),
      {
        ...still,
        id: 'labels of notes',
        z: 6,
        renderItem: (params: RenderParams, api: RenderApi) => drawLabels(labelled, isFlipped, params, api, around),
      },
    ]
  },
  said(series, { from, to }) {
    if (from === null) return []
    return marksOf(series)
      .filter((mark) => (mark.to === undefined ? mark.at >= from && mark.at < to : mark.at < to && mark.to >= from))
      .map(({ title, text }) => (text ? `${title}: ${text}` : title))
  },
})
