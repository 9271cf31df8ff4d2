import { AppError } from '@parquetry/model/errors'
import { message, type Message } from '@parquetry/model/message'
import { defaultLimits } from '@parquetry/model/plan'

/** Size of a table that is about to be made. */
export interface TableSize {
  rows: number
  columns: number
  /** Work in addition to that for its values. */
  work?: number
}

/** Thrown before work that is too long for the place where it would run. It can be done elsewhere with a larger budget. */
export class TooMuchWork extends Error {}

/** A column is an object with a label, so that many columns need more memory than their values. */
const maxColumns = 50_000
/** For names of columns and rows, which are sent in the head of a response, and for keys. */
const maxTextBytes = 64 << 20
/** Work for one column, beside its values. */
const columnWork = 400

/**
 * What post-processing of one result may produce and how long it may take. Everything that could multiply rows, columns, texts or
 * time asks here before it begins. One unit of work is about 10 nanoseconds, and at most 30.
 */
export class Budget {
  /** Maximum number of values of any table. */
  readonly cells: number
  #work: number

  /** @param work  by default unlimited, for callers that end the work by the clock */
  constructor({ cells = defaultLimits.cells, work = Infinity }: { cells?: number; work?: number } = {}) {
    this.cells = cells
    this.#work = work
  }

  /** @throws TooMuchWork */
  spend(work: number): void {
    this.#work -= work
    // A NaN must not pass.
    if (!(this.#work >= 0)) throw new TooMuchWork('The work exceeds the budget.')
  }

  /**
   * Accepts a table before a step makes it.
   * @throws AppError `result_too_large` with the size and what to do; TooMuchWork
   */
  admit(step: string, { rows, columns, work = 0 }: TableSize): void {
    if (!(rows * columns <= this.cells && columns <= maxColumns))
      throw new AppError('result_too_large', {
        message: message(
          'errors.frame.stepTooLarge',
          'The result of `{step}` would be larger than the limit: {rows, number} rows and {columns, number} columns, with at most {maxColumns, number} columns and {cells, number} values. {advice}',
          { step, rows, columns, maxColumns, cells: this.cells, advice: adviceFor(step) },
        ),
      })
    this.spend(rows * columns + columns * columnWork + work)
  }

  /** Accepts names or keys before they are made. @throws AppError `result_too_large`; TooMuchWork */
  admitTexts(step: string, bytes: number): void {
    if (!(bytes <= maxTextBytes))
      throw new AppError('result_too_large', {
        message: message(
          'errors.frame.namesTooLong',
          'The names that `{step}` would make are too long in total. Group by fewer or shorter values.',
          { step },
        ),
      })
    this.spend(bytes)
  }
}

function adviceFor(step: string): Message {
  switch (step) {
    case 'pivot':
      return message('errors.frame.advicePivot', 'Group by fewer values.')
    case 'resample':
      return message('errors.frame.adviceResample', 'Choose a longer period.')
    case 'prophet':
      return message('errors.frame.adviceProphet', 'Reduce the number of periods.')
    case 'histogram':
      return message('errors.frame.adviceHistogram', 'Use fewer bins or groups.')
    default:
      return message('errors.frame.adviceStep', 'Request fewer rows or columns.')
  }
}
