import { resolveForm, loadChart, buildSpecContext, englishTranslator, themes, type ChartForm } from '@parquetry/charts'
import { listKinds, loadFamilies } from '@parquetry/charts/resolve/families/load'
import { resolveSpec } from '@parquetry/charts/resolve/resolve-spec'
import { toFrames, type FixtureColumn } from '@parquetry/charts/testing/frames'
import { init, use } from '@parquetry/charts/views/echarts/engine'
import * as echarts from 'echarts'
import type { EChartsOption } from 'echarts'

export interface DrawRequest {
  form: ChartForm
  frames: Record<string, FixtureColumn[]>
}

/** Milliseconds until a chart is completely drawn, and its number of marks. */
export interface DrawMeasurement {
  ms: number
  /** Marks of all series, as ECharts counts them. */
  marks: number
}

declare global {
  interface Window {
    /** Prepares the drawing of a response. */
    prepare: (request: DrawRequest) => Promise<void>
    drawOurs: () => Promise<DrawMeasurement>
    drawPlain: () => Promise<DrawMeasurement>
  }
}

const box = document.querySelector('#box') as HTMLElement
const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 960,
  height: 480,
  animate: false,
}
let ours: () => Record<string, unknown> = () => ({})
let plain: Record<string, unknown> = {}

window.prepare = async ({ form, frames: written }) => {
  const chart = await loadChart(String(form.viz_type))
  if (!chart) throw new Error(`Nobody draws ${String(form.viz_type)}.`)
  const frames = toFrames(written)
  const settled = resolveForm(chart, form)
  const context = buildSpecContext(settled)
  const families = await loadFamilies(listKinds(chart.spec(frames, settled, context)))
  const resolved = resolveSpec(chart.spec(frames, settled, context), frames, around, families)
  use([...resolved.parts])
  // from the response on, as a page does it
  ours = () => resolveSpec(chart.spec(frames, settled, context), frames, around, families).option
  plain = toPlainOption(resolved.option)
}

/** Returns plain options for ECharts: the series kinds with their data and axes, and no settings of their presentation. */
function toPlainOption(option: Record<string, unknown>): Record<string, unknown> {
  const pickOptions = (word: string, of: readonly string[]) => {
    const given = option[word]
    const one = (each: object) => Object.fromEntries(Object.entries(each).filter(([key]) => of.includes(key)))
    return given === undefined ? {} : { [word]: Array.isArray(given) ? given.map(one) : one(given as object) }
  }
  const data = [
    'type',
    'data',
    'encode',
    'dimensions',
    'smooth',
    'step',
    'stack',
    'coordinateSystem',
    'inverse',
    'links',
  ]
  const components = ['radar', 'parallelAxis', 'parallel', 'calendar', 'visualMap', 'dataset']
  return {
    animation: false,
    ...pickOptions('series', [...data, 'areaStyle', 'roseType', 'renderItem', 'symbolSize', 'layout', 'orient']),
    ...pickOptions('xAxis', ['type', 'data', 'inverse']),
    ...pickOptions('yAxis', ['type', 'data', 'inverse']),
    ...Object.fromEntries(components.flatMap((word) => (option[word] === undefined ? [] : [[word, option[word]]]))),
    tooltip: {},
  }
}

window.drawOurs = () => draw(init, () => ({ ...ours(), animation: false }))
window.drawPlain = () => draw(echarts.init as typeof init, () => plain)

async function draw(begin: typeof init, option: () => object): Promise<DrawMeasurement> {
  const chart = begin(box, null, { renderer: 'canvas', width: around.width, height: around.height })
  const begun = performance.now()
  const finished = new Promise<number>((done) => chart.on('finished', () => done(performance.now())))
  chart.setOption(option() as EChartsOption)
  const ms = (await finished) - begun
  interface Model {
    getSeries(): { getData(): { count(): number } }[]
  }
  const { getModel } = chart as unknown as { getModel(): Model }
  const marks = getModel
    .call(chart)
    .getSeries()
    .reduce((sum, series) => sum + series.getData().count(), 0)
  chart.dispose()
  return { ms, marks }
}
