import { type Cell, postProcess, textAt } from '@parquetry/frame'
import { labelOfColumn } from '@parquetry/model/labels'
import { message } from '@parquetry/model/message'
import { readValues, listColumns, metricLabels, listMetrics, requireItems, getOwn, badRequest } from '../read.ts'
import type { RowsType } from '../type.ts'

/** Aggregate functions of the form, as step operators. */
const operators: Record<string, string> = {
  sum: 'sum',
  mean: 'mean',
  min: 'min',
  max: 'max',
  median: 'median',
  std: 'std',
  stdev: 'std',
  var: 'var',
  count: 'count',
}

/** A pivot table as HTML with row and column headings, and the names of its columns. */
export const pivotTable: RowsType = {
  query(form) {
    const rows = requireItems(
      listColumns(form, 'groupby'),
      message('errors.legacy.rowsNeeded', 'Choose a column for the rows'),
    )
    const metrics = [
      ...requireItems(listMetrics(form, 'metrics'), message('errors.legacy.metricsNeeded', 'Pick at least one metric')),
    ]
    const columns = listColumns(form, 'columns')
    const both = new Set(rows.map(labelOfColumn))
    if (columns.some((column) => both.has(labelOfColumn(column))))
      throw badRequest(
        message('errors.legacy.rowsOrColumns', 'A column can be used for rows or for columns, but not both'),
      )
    return { columns: [...rows, ...columns], metrics }
  },
  data(frame, form) {
    const isTurned = form.transpose_pivot === true
    const [down, across] = [listColumns(form, 'groupby'), listColumns(form, 'columns')].map((columns) =>
      columns.map(labelOfColumn),
    )
    const [index, columns] = isTurned && across!.length > 0 ? [across!, down!] : [down!, across!]
    const metrics = metricLabels(listMetrics(form, 'metrics'))
    const operator = getOwn(operators, form.pandas_aggfunc ?? 'sum') ?? 'sum'
    const options = {
      index,
      columns,
      aggregates: Object.fromEntries(metrics.map((metric) => [metric, { operator }])),
      combine_value_with_metric: form.combine_metric === true,
      ...(form.pivot_margins === true && { marginal_distributions: true, marginal_distribution_name: 'All' }),
    }
    const { frame: laid, stepError } = postProcess(frame, [
      { operation: 'pivot', options },
      { operation: 'flatten', options: {} },
    ])
    if (stepError !== null) throw badRequest(stepError)
    const [names, values] = [laid.columns.slice(0, index.length), laid.columns.slice(index.length)]
    const parts = values.map((column) => column.parts ?? [column.name])
    const rows = Array.from({ length: laid.rows }, (_, row) => ({
      names: names.map((column) => textAt(column, row) ?? ''),
      cells: values.map((column) => cellText(textAt(column, row))),
    }))
    const levels = ['', ...columns]
    const valuesOf = columns.map((name) => valuesByText(readValues(frame, name)))
    const valued = (part: readonly string[]) =>
      part.map((text, level) => (level === 0 ? text : (valuesOf[level - 1]?.get(text) ?? text)))
    return {
      columns: parts.map((part) => (part.length > 1 ? valued(part) : part[0])),
      html: renderTable({ index, levels, parts, rows }),
    }
  },
}

/** Values by the text of their heading. */
const valuesByText = (cells: readonly Cell[]): Map<string, Cell> =>
  new Map(
    cells.flatMap((cell) => (cell === null ? [] : [String(cell), `${String(cell)}.0`].map((text) => [text, cell]))),
  )

interface Table {
  index: readonly string[]
  /** Names of the column levels. */
  levels: readonly string[]
  parts: readonly (readonly string[])[]
  rows: readonly { names: readonly string[]; cells: readonly string[] }[]
}

/** Integers are written as floats, as legacy clients expect of columns with gaps. */
const cellText = (text: string | null): string => (text === null ? 'null' : /^-?\d+$/.test(text) ? `${text}.0` : text)

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escapeText = (text: string): string => text.replaceAll(/[&<>]/g, (sign) => escapes[sign]!)

const classes = 'dataframe dataframe table table-striped table-bordered table-condensed table-hover'

/** Escapes every name and value, so that none can become markup of the page. */
function renderTable({ index, levels, parts, rows }: Table): string {
  const row = (cells: readonly string[]) => ['    <tr>', ...cells.map((cell) => `      ${cell}`), '    </tr>']
  const th = (text: string) => `<th>${escapeText(text)}</th>`
  const besides = index.slice(1).map(() => th(''))
  const across = levels.map((name, level) => row([...besides, th(name), ...headings(parts, level, levels.length)]))
  const down = row([...index.map(th), ...parts.map(() => th(''))])
  const body = rows.map(({ names, cells }) =>
    row([...names.map(th), ...cells.map((cell) => `<td>${escapeText(cell)}</td>`)]),
  )
  return [
    `<table border="1" class="${classes}">`,
    '  <thead>',
    ...across.flat(),
    ...down,
    '  </thead>',
    '  <tbody>',
    ...body.flat(),
    '  </tbody>',
    '</table>',
  ].join('\n')
}

/** Merges equal adjacent headings, except on the last level. */
function headings(parts: Table['parts'], level: number, levels: number): string[] {
  const found: { text: string; above: string; span: number }[] = []
  for (const part of parts) {
    const [text, above] = [part[level] ?? '', JSON.stringify(part.slice(0, level + 1))]
    const last = found.at(-1)
    if (last && level < levels - 1 && last.above === above) last.span++
    else found.push({ text, above, span: 1 })
  }
  return found.map(({ text, span }) =>
    span > 1 ? `<th colspan="${span}" halign="left">${escapeText(text)}</th>` : `<th>${escapeText(text)}</th>`,
  )
}
