import { CustomChart } from 'echarts/charts'
import { toThemeColor } from '../../paint.ts'
import { defineNoteFamily, type SpecSeries } from '../family.ts'
import { drawNoteLabels, drawNoteMarks, type NoteMark, type RenderApi, type RenderParams } from './draw.ts'

const readNoteMarks = ({ data = [] }: SpecSeries) => data as unknown as NoteMark[]

/**
 * Options of all note series. The first item has no position, so that no zoom removes it, and draws everything; the others keep
 * the axis range of the data.
 */
const still = {
  type: 'custom',
  silent: true,
  animation: false,
  tooltip: { show: false },
  emphasis: { disabled: true },
}
/** Events and spans of time, in front of and behind the data; all labels share the space at the top. */
export default defineNoteFamily({
  parts: [CustomChart],
  option: (all, { axis, isFlipped, span }, around) => {
    const data = [NaN, ...(span ?? [])].map((index) => (isFlipped ? [NaN, index] : [index, NaN]))
    const drawn = all.map((series) => ({
      marks: readNoteMarks(series),
      color: toThemeColor(series.color ?? '', around.theme),
      lineStyle: series.lineStyle as { type: string | number[]; width: number; opacity: number },
    }))
    if (axis === 'category') return []
    const labelled = drawn.flatMap(({ marks, color }, index) =>
      all[index]?.label ? marks.map((mark) => ({ ...mark, color })) : [],
    )
    return [
      ...drawn.map((each, index) => ({
        ...still,
        data,
        id: `note ${index} ${all[index]?.name}`,
        name: all[index]?.name,
        color: each.color,
        z: each.marks.some(({ to }) => to !== undefined) ? 1 : 3,
        renderItem: (params: RenderParams, api: RenderApi) =>
          params.dataIndex === 0 ? drawNoteMarks(each, isFlipped, params, api) : null,
      })),
      {
        ...still,
        data,
        id: 'labels of notes',
        z: 6,
        renderItem: (params: RenderParams, api: RenderApi) =>
          params.dataIndex === 0 ? drawNoteLabels(labelled, isFlipped, params, api, around) : null,
      },
    ]
  },
  reach: (_, { span }) => span ?? [],
  textsAt(series, { from, to }) {
    if (from === null) return []
    return readNoteMarks(series)
      .filter((mark) => (mark.to === undefined ? mark.at >= from && mark.at < to : mark.at < to && mark.to >= from))
      .map(({ title, text }) => (text ? `${title}: ${text}` : title))
  },
})
