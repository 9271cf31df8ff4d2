import { numberAt, type Column, type Frame } from '@parquetry/frame'

/** A result column: the number of rows of each group between two bounds. */
export interface HistogramBin {
  low: number
  high: number
  counts: Column
}

/** Returns the columns that are bins, without dimensions; a result that was not counted has none. */
export const readBins = ({ columns }: Frame, dimensions: readonly string[]): HistogramBin[] =>
  columns.flatMap((counts) => {
    const [low, high] = parseBinEnds(counts)
    return dimensions.includes(counts.name) || low === undefined || high === undefined ? [] : [{ low, high, counts }]
  })

/** Reads the bounds of a bin from its parts; names, which are truncated to whole numbers, are the fallback. */
function parseBinEnds({ name, parts }: Column): number[] {
  const written =
    parts?.length === 2 ? parts : (/^(-?[\d.]+(?:e[+-]?\d+)?) - (-?[\d.]+(?:e[+-]?\d+)?)$/.exec(name)?.slice(1) ?? [])
  const ends = written.map(Number)
  return ends.every(Number.isFinite) ? ends : []
}

export const countsOf = (bins: readonly HistogramBin[], row: number): (number | null)[] =>
  bins.map(({ counts }) => numberAt(counts, row))

/** Precision of a bound: the width of a bin divided by this. */
const exactness = 50

/**
 * Number format with as few digits as distinguish the bounds of bins: large numbers in thousands and millions, small ones with
 * decimals.
 */
export function chooseBinFormat(bins: readonly HistogramBin[]): string {
  const ends = [...bins.map(({ low }) => low), ...bins.slice(-1).map(({ high }) => high)]
  const [first] = bins
  const width = first ? first.high - first.low : 1
  const most = ends.reduce((size, end) => Math.max(size, Math.abs(end)), 0)
  const digits = Math.min(15, Math.max(1, Math.ceil(Math.log10((most / width) * exactness))))
  if (most >= 10_000 && digits <= 3) return 'SMART_NUMBER'
  // d3 abbreviates a billion as G
  const isShort = (most >= 10_000 && (most < 1e9 || most >= 1e15)) || (most > 0 && most < 0.001)
  if (isShort) return `.${digits}~s`
  const decimals = [0, 1, 2, 3, 4, 5, 6].find((digits) =>
    ends.every((end) => Math.abs(Number(end.toFixed(digits)) - end) * exactness <= width),
  )
  return decimals === undefined ? 'ALL_DIGITS' : `,.${decimals}~f`
}
