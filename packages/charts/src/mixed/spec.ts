import { numberAt, type Frame } from '@parquetry/frame'
import type { ChartForm, SpecContext, Spec } from '../define.ts'
import { createTranslator } from '../resolve/text.ts'
import { annotationSeries } from '../shared/annotations/series.ts'
import { isAdditive } from '../shared/aggregate-kind.ts'
import { commonFormat, commonMetricFormat } from '../shared/formats/metrics.ts'
import { xLabel, type SeriesForm } from '../shared/time-series/query.ts'
import { listSeries, type Series } from '../shared/time-series/series.ts'
import {
  resolveAxisKind,
  buildSeries,
  isShare,
  titleFormat,
  findUnfinishedPeriod,
  xAxisSpec,
  yAxisSpec,
  type MarkStyle,
} from '../shared/time-series/spec.ts'
import { toMarkStyle, type SeriesStyle } from '../shared/time-series/styles.ts'
import { firstQueryForm, secondQueryForm } from './sections.ts'

interface Section {
  /** Name of the response frame. */
  name: 'series' | 'series_b'
  form: SeriesForm & ChartForm
  frame: Frame
  series: Series[]
  marks: MarkStyle
  format: string
  adds: boolean
  /** 1 is the right axis. */
  axis: number
}

const none: Frame = { rows: 0, columns: [] }

/** Spec of two queries over one x-axis, each with its own series style and one of two y-axes. */
export function mixedSpec(frames: Record<string, Frame>, form: ChartForm, context: SpecContext): Spec {
  const sections = disambiguateNames(
    [
      readSection('series', firstQueryForm(form), frames, context),
      readSection('series_b', secondQueryForm(form), frames, context),
    ],
    form,
    context,
  )
  const [a, b] = sections
  const axis = resolveAxisKind(a.frame.rows > 0 ? a.frame : b.frame, a.form, {
    type: sections.some(({ marks }) => marks.type === 'bar') ? 'bar' : 'line',
  })
  const times = axis === 'time' && form.mark_unfinished !== false ? sections : []
  const [unfinished] = times.flatMap((each) => findUnfinishedPeriod(each.frame, each.form, context) ?? [])
  const all = sections.flatMap(({ series }) => series)
  const colorOf = context.colorsOf(all.length > 1 ? all.map(({ base }) => base) : [])
  const { frame, form: first } = a.frame.rows > 0 ? a : b
  const ground = { frame, x: xLabel(first), axis, colors: all.map(({ base }) => colorOf(base)) }
  const notes = annotationSeries(form.annotation_layers, ground, context)
  const names = all.length + notes.filter(({ legend }) => legend !== false).length
  return {
    ...((form.show_legend ?? names > 1) && {
      legend: {
        position: form.legendOrientation,
        ...(form.legendSort != null && { sort: form.legendSort }),
      },
    }),
    tooltip: {
      trigger: form.rich_tooltip === false ? 'item' : 'axis',
      ...(axis === 'time' && { title: { format: titleFormat(form) } }),
      rows: [{ field: 'value', format: a.format }],
      ...(form.tooltipSortByMetric === true && { sort: 'value' }),
    },
    xAxis: { ...xAxisSpec(a.form, axis, context), ...(unfinished !== undefined && { unfinished }) },
    yAxis: yAxes(sections, form),
    ...(form.zoomable === true && { dataZoom: [{ type: 'slider' }] }),
    series: [
      ...sections.flatMap((section) =>
        section.series.map((each) => seriesSpec(section, each, colorOf(each.base), context)),
      ),
      ...notes,
    ],
  }
}

function readSection(
  name: Section['name'],
  given: ChartForm,
  frames: Record<string, Frame>,
  context: SpecContext,
): Section {
  const form = given as Section['form']
  const frame = frames[name] ?? none
  const { type, ...shape } = toMarkStyle(form.seriesType as SeriesStyle)
  const axis = Number(form.yAxisIndex)
  const series = form.metrics.length > 0 ? listSeries(frame, form, context) : []
  const marks: MarkStyle = { type, ...shape, ...(type === 'line' && { area: form.area === true }) }
  return {
    name,
    form,
    frame,
    series,
    marks,
    axis,
    format: resolveFormat(form, context),
    adds: form.metrics.every((metric) => isAdditive(metric, context)),
  }
}

function resolveFormat(form: Section['form'], context: SpecContext): string {
  const { y_axis_format: format, currency_format: currency } = form
  if (isShare(form)) return format === 'SMART_NUMBER' ? ',.1~%' : String(format)
  return commonMetricFormat(form.metrics, context, { format, currency })
}

/** Makes series names unique across both queries: by adding the metric or, if that is not enough, the query. */
function disambiguateNames(sections: [Section, Section], form: ChartForm, context: SpecContext): [Section, Section] {
  const say = createTranslator(context)
  const words = {
    series: (name: string) => say('picture.query.a', '{name} (query A)', { name }),
    series_b: (name: string) => say('picture.query.b', '{name} (query B)', { name }),
  }
  const isTwice = ([a, b]: [Section, Section]) =>
    a.series.some(({ name }) => b.series.some((each) => each.name === name))
  const renameSeries = (each: (section: Section, name: string, series: Series) => string) =>
    sections.map((section) => ({
      ...section,
      series: section.series.map((series) => {
        const [name, base] = [series.name, series.base].map((old) => each(section, old, series)) as [string, string]
        return { ...series, name, base }
      }),
    })) as [Section, Section]
  const withMetric = renameSeries(({ form: { metrics, groupby } }, name, { metric }) =>
    metrics.length === 1 && groupby.length > 0 && name !== context.displayName(metric)
      ? `${context.displayName(metric)}, ${name}`
      : name,
  )
  const withQuery = renameSeries(({ name }, old) => words[name](old))
  if (form.show_query_identifiers === true) return withQuery
  return [sections, withMetric].find((each) => !isTwice(each)) ?? withQuery
}

/** One y-axis, or one on each side; split lines belong to the left axis. */
function yAxes(sections: readonly Section[], form: ChartForm): Spec | Spec[] {
  const drawnOn = (axis: number) => sections.filter((each) => each.axis === axis && each.series.length > 0)
  const second = {
    ...form,
    logAxis: form.logAxisSecondary,
    y_axis_bounds: form.y_axis_bounds_secondary,
    y_axis_title: form.yAxisTitleSecondary,
  }
  const axisAt = (index: number, settings: ChartForm) => {
    const [section] = drawnOn(index)
    const axisFormat = commonFormat((section ? drawnOn(index) : sections.slice(0, 1)).map(({ format }) => format))
    const type = drawnOn(index).every(({ marks }) => marks.type === 'scatter') && section ? 'scatter' : 'line'
    return yAxisSpec(settings as Section['form'], axisFormat, { type })
  }
  const primary = axisAt(0, form)
  if (drawnOn(1).length === 0) return primary
  const isLinear = !form.logAxis && !form.logAxisSecondary
  return [
    primary,
    {
      ...axisAt(1, second),
      position: 'right',
      ...(drawnOn(0).length > 0 && { splitLine: { show: false }, minorSplitLine: { show: false } }),
      ...(drawnOn(0).length > 0 && isLinear && sections.every(isTame) && { alignTicks: true }),
    },
  ]
}

/** ECharts fails to align ticks when values are near the limits of floating-point numbers. */
const maxAligned = 1e100
const isTame = ({ frame }: Section) =>
  frame.columns.every((column) => {
    for (let row = 0; row < frame.rows; row++) if (Math.abs(numberAt(column, row) ?? 0) > maxAligned) return false
    return true
  })

function seriesSpec(section: Section, series: Series, color: string, context: SpecContext): Spec {
  const { name, form, marks, axis, adds } = section
  const { y_axis_format, currency_format: currency } = form
  const format = isShare(form) ? section.format : context.formatOf(series.metric, { format: y_axis_format, currency })
  const isStacked = Boolean(form.stack)
  const spec = buildSeries(series, form, color, { marks, format, isStacked, adds, isDirect: false })
  return {
    ...spec,
    points: { frame: name, ...(spec.points as object) },
    ...(isStacked && { stack: `${name} ${String(spec.stack)}` }),
    format,
    ...(axis === 1 && { yAxisIndex: 1 }),
  }
}
