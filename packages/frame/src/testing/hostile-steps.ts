import type { postProcessingOperations } from '@parquetry/model/query-context'
import type { Random } from '@parquetry/model/testing/random'

const repeat = <T>(times: number, value: T): T[] => Array.from({ length: times }, () => value)
const renames = (names: readonly string[], to: (name: string) => string) =>
  Object.fromEntries(names.map((name) => [name, to(name)]))

/**
 * Options that multiply rows, columns, texts or time as far as each step allows, over a table with the columns `t` (times), `few`
 * and `many` (texts), `place` (points), `n` and `m` (numbers).
 */
export const hostileOptions: Record<
  (typeof postProcessingOperations)[number],
  (random: Random) => Record<string, unknown>
> = {
  aggregate: (random) => ({
    groupby: repeat(random.pick([1, 5000]), random.pick(['many', 'few'])),
    aggregates: Object.fromEntries(
      Array.from({ length: random.pick([1, 5000]) }, (_, index) => [`a${index}`, { column: 'n', operator: 'median' }]),
    ),
  }),
  boxplot: (random) => ({
    groupby: random.pick([['many'], repeat(3000, 'few')]),
    metrics: repeat(random.pick([1, 2000]), 'm'),
    whisker_type: 'tukey',
  }),
  compare: (random) => {
    const count = random.pick([1, 3000])
    return { source_columns: repeat(count, 'n'), compare_columns: repeat(count, 'm'), compare_type: 'ratio' }
  },
  contribution: (random) => {
    const count = random.pick([1, 3000])
    return {
      columns: repeat(count, 'n'),
      rename_columns: Array.from({ length: count }, (_, index) => `share ${index}`),
    }
  },
  cum: (random) => ({ columns: { n: random.pick(['n', 'other']) }, operator: 'prod' }),
  diff: (random) => ({ columns: { n: 'n', m: 'x' }, periods: random.pick([1, -1e15, 1e15]), axis: random.int(2) }),
  escape_separator: () => ({}),
  flatten: () => ({}),
  geodetic_parse: () => ({ geodetic: 'place', latitude: 'lat', longitude: 'lon' }),
  geohash_decode: () => ({ geohash: 'few', latitude: 'lat', longitude: 'lon' }),
  geohash_encode: () => ({ geohash: 'hash', latitude: 'n', longitude: 'm' }),
  histogram: (random) => ({ column: 'm', groupby: random.pick([['many'], ['few']]), bins: random.pick([5, 10_000]) }),
  pivot: (random) => ({
    index: random.pick([['t'], ['many', 't'], repeat(40, 'many'), ['few', 'many', 'n', 't']]),
    columns: random.pick([[], ['many'], ['many', 'n', 't'], repeat(2000, 'few')]),
    aggregates: { n: { operator: 'sum' }, m: { operator: 'median' } },
    drop_missing_columns: random() < 0.5,
    combine_value_with_metric: random() < 0.5,
    ...(random() < 0.5 && { marginal_distributions: true, marginal_distribution_name: 'All' }),
  }),
  prophet: (random) => ({
    time_grain: random.pick(['PT1S', 'P1Y']),
    periods: random.pick([10, 1e6, 1e15]),
    confidence_interval: random.pick([0.8, 1 - Number.EPSILON]),
    index: 't',
    yearly_seasonality: random.pick(['auto', 1e9]),
  }),
  rank: () => ({ metric: 'm', group_by: 'many' }),
  rename: () => ({ columns: renames(['n', 'm', 'few'], () => 'same') }),
  resample: (random) => ({
    rule: random.pick(['1ms', '1S', '1D', `${'9'.repeat(400)}M`, '999999999Y', '1M']),
    method: random.pick(['asfreq', 'ffill', 'linear', 'mean', 'median']),
  }),
  rolling: (random) => ({
    columns: { n: random.pick(['n', 'wide']), m: 'm' },
    window: random.pick([2, 1e15]),
    rolling_type: random.pick(['median', 'kurt', 'quantile']),
    rolling_type_options: {},
    min_periods: 1,
  }),
  select: (random) => ({ columns: repeat(random.pick([1, 60_000]), 'many'), exclude: random.pick([[], ['few']]) }),
  sort: (random) => ({ by: repeat(random.pick([1, 30_000]), 'm'), ascending: true }),
  unescape_separator: () => ({}),
}
