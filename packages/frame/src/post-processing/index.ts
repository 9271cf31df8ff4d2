import type { PostProcessing, postProcessingOperations } from '@parquetry/model/query-context'
import { cellAt, textAt } from '../cells.ts'
import type { Column, Frame } from '../frame.ts'
import { aggregate } from './aggregate.ts'
import { admitStep, labelLength, textBytes } from './bounds.ts'
import { boxplot } from './boxplot.ts'
import { Budget } from './budget.ts'
import { compare } from './compare.ts'
import { contribution, withoutWholes } from './contribution.ts'
import { cum } from './cum.ts'
import { diff } from './diff.ts'
import { flatten } from './flatten.ts'
import { geodeticParse, geohashDecode, geohashEncode } from './geo.ts'
import { histogram } from './histogram.ts'
import { Options } from './options.ts'
import { pivot } from './pivot.ts'
import { prophet } from './prophet.ts'
import { rank } from './rank.ts'
import { invalidStep, StepRefusal } from './refusal.ts'
import { message } from '@parquetry/model/message'
import { rename } from './rename.ts'
import { resample } from './resample.ts'
import { rolling } from './rolling.ts'
import { select } from './select.ts'
import { splitLabel, separator, unescapeSeparator } from './separator.ts'
import { sort } from './sort.ts'
import { toTable, type Table } from './table.ts'
import { makeNamesUnique } from '../unique-names.ts'

type Operation = (table: Table, options: Options, budget: Budget) => Table

type OperationName = (typeof postProcessingOperations)[number]

/** Operations with their supported options. */
const operations: Record<OperationName, { run: Operation; options: readonly string[] }> = {
  aggregate: { run: aggregate, options: ['groupby', 'aggregates'] },
  boxplot: { run: boxplot, options: ['groupby', 'metrics', 'whisker_type', 'percentiles'] },
  compare: {
    run: compare,
    options: ['source_columns', 'compare_columns', 'compare_type', 'drop_original_columns', 'precision'],
  },
  contribution: {
    run: contribution,
    options: ['orientation', 'columns', 'rename_columns', 'time_shifts', 'contribution_totals', 'wholes'],
  },
  cum: { run: cum, options: ['operator', 'columns'] },
  diff: { run: diff, options: ['columns', 'periods', 'axis'] },
  // `flatten` escapes the parts of labels and the last step unescapes them, so that these two operations have nothing to do.
  escape_separator: { run: (table) => table, options: [] },
  flatten: { run: flatten, options: ['reset_index', 'drop_levels'] },
  geodetic_parse: { run: geodeticParse, options: ['geodetic', 'longitude', 'latitude', 'altitude'] },
  geohash_decode: { run: geohashDecode, options: ['geohash', 'longitude', 'latitude'] },
  geohash_encode: { run: geohashEncode, options: ['geohash', 'longitude', 'latitude'] },
  histogram: { run: histogram, options: ['column', 'groupby', 'bins', 'cumulative', 'normalize'] },
  pivot: {
    run: pivot,
    options: [
      'index',
      'columns',
      'aggregates',
      'metric_fill_value',
      'column_fill_value',
      'drop_missing_columns',
      'combine_value_with_metric',
      'marginal_distributions',
      'marginal_distribution_name',
    ],
  },
  prophet: {
    run: prophet,
    options: [
      'time_grain',
      'periods',
      'confidence_interval',
      'yearly_seasonality',
      'monthly_seasonality',
      'weekly_seasonality',
      'daily_seasonality',
      'index',
    ],
  },
  rank: { run: rank, options: ['metric', 'group_by'] },
  rename: { run: rename, options: ['columns', 'inplace', 'level'] },
  resample: {
    run: (table, options, { cells }) => resample(table, options, cells),
    options: ['rule', 'method', 'fill_value'],
  },
  rolling: {
    run: rolling,
    options: [
      'columns',
      'window',
      'rolling_type',
      'center',
      'win_type',
      'min_periods',
      'drop_incomplete',
      'rolling_type_options',
    ],
  },
  select: { run: select, options: ['columns', 'exclude', 'rename'] },
  sort: { run: sort, options: ['is_sort_index', 'by', 'ascending'] },
  unescape_separator: { run: (table) => table, options: [] },
}

/**
 * Applies one step.
 * @throws StepRefusal when the step's own check fails; AppError for any other invalid step, and for a result that would exceed
 * the budget; TooMuchWork
 */
export function applyStep(table: Table, step: PostProcessing, budget: Budget = new Budget()): Table {
  const operation = Object.hasOwn(operations, step.operation) ? operations[step.operation as OperationName] : undefined
  if (!operation)
    throw invalidStep(
      message('errors.frame.unknownOperation', 'Unknown post-processing operation `{operation}`.', {
        operation: step.operation,
      }),
    )
  const options = new Options(step, operation.options)
  admitStep(step.operation, table, options, budget)
  return operation.run(table, options, budget)
}

export interface PostProcessingResult {
  frame: Frame
  /** Output column -> the parts that it was flattened from. */
  labelMap: Record<string, string[]>
  /** Labels of the row index when it is not flattened: row numbers as numbers, everything else as text. */
  indexNames: (string | number)[] | null
  /** Error of a step's own check. The frame is then empty and the status of the response `failed`. */
  stepError: string | null
}

/**
 * Applies the steps of a query to its whole result. A result without rows passes through unchanged, as in the API.
 * @throws AppError `invalid_post_processing` for an invalid step, `result_too_large` for one whose result would exceed the
 * budget; TooMuchWork
 */
export function postProcess(
  frame: Frame,
  steps: readonly PostProcessing[],
  budget: Budget = new Budget(),
): PostProcessingResult {
  if (frame.rows === 0 || steps.length === 0) return finished(toTable(withoutWholes(frame, steps)), budget)
  try {
    return finished(
      steps.reduce((table, step) => applyStep(table, step, budget), toTable(frame)),
      budget,
    )
  } catch (error) {
    if (!(error instanceof StepRefusal)) throw error
    return { frame: { rows: 0, columns: [] }, labelMap: {}, indexNames: null, stepError: error.message }
  }
}

function finished({ rows, columns, levels, index }: Table, budget: Budget): PostProcessingResult {
  if (levels.length > 1)
    throw invalidStep(
      message('errors.frame.notFlattened', 'A pivot with columns must be followed by the step `flatten`.'),
    )
  // A name is written several times: in the columns, in their parts and in `label_map`.
  budget.admitTexts('flatten', 8 * columns.reduce((sum, { label }) => sum + labelLength(label), 0))
  if (index)
    budget.admitTexts(
      'sort',
      index.columns.reduce((sum, column) => sum + textBytes(column, rows), 0),
    )
  const named = columns.map(({ label: [part], data, parts: given }) => {
    const text = part ?? 'null'
    const name = unescapeSeparator(text)
    const parts = given ?? splitLabel(text)
    const { parts: _, ...own } = data
    return { ...own, name, ...((parts.length > 1 || name.includes(separator)) && { parts }) } as Column
  })
  // Different series may have the same text, such as `a, b` and `c`, and `a` and `b, c`.
  const names = makeNamesUnique(named.map(({ name }) => name))
  for (const [at, column] of named.entries()) if (column.parts) column.name = names[at]!
  return {
    frame: { rows, columns: named },
    labelMap: Object.fromEntries(named.map(({ name, parts }) => [name, parts ?? [name]])),
    indexNames: index ? Array.from({ length: rows }, (_, row) => toIndexName(index.columns, row)) : null,
    stepError: null,
  }
}

function toIndexName(columns: readonly Column[], row: number): string | number {
  const [only] = columns
  const cell = columns.length === 1 && only && only.kind !== 'time' ? cellAt(only, row) : null
  return typeof cell === 'number' ? cell : columns.map((column) => textAt(column, row) ?? '').join(', ')
}
