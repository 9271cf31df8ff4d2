import { expect, it } from 'vitest'
import { labelOfStatistic, listStatistics, readStatisticSql, statisticSql, type ColumnStatistic } from './statistics.ts'

const all: ColumnStatistic[] = [
  { statistic: 'MEDIAN', percent: 50 },
  { statistic: 'PERCENTILE', percent: 90 },
  { statistic: 'PERCENTILE', percent: 99.9 },
  { statistic: 'PERCENTILE', percent: 7 },
  { statistic: 'PERCENTILE', percent: 0 },
  { statistic: 'PERCENTILE', percent: 100 },
  { statistic: 'STDDEV', percent: 50 },
  { statistic: 'VARIANCE', percent: 50 },
]

it('writes statistics as SQL of each engine and reads them again', () => {
  for (const backend of ['duckdb', 'postgresql', 'mysql', 'clickhouse', 'trino', 'sqlite', undefined])
    for (const each of all) {
      const sql = statisticSql(backend, '"a b"', each)
      expect([backend, each, sql !== null]).toEqual([backend, each, listStatistics(backend).includes(each.statistic)])
      if (sql === null) continue
      expect(readStatisticSql(backend, '"a b"', sql)).toEqual(each)
      expect(readStatisticSql(backend, '"c"', sql)).toBeNull()
      expect(readStatisticSql(backend, '"a b"', `${sql} + 1`)).toBeNull()
    }
  expect(statisticSql('postgresql', 'x', all[2]!)).toBe('PERCENTILE_CONT(0.999) WITHIN GROUP (ORDER BY x)')
  expect(all.map((each) => labelOfStatistic(each, 'x')).slice(0, 3)).toEqual(['MEDIAN(x)', 'P90(x)', 'P99.9(x)'])
})
