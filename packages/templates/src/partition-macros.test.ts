import { expect, it } from 'vitest'
import { type Partition, buildPartitionMacros, renderTemplate } from './index.ts'

const partitions: Record<string, Partition> = {
  'web.visits': { cols: ['day'], latest: { day: '2026-01-02' } },
  'web.odd': { cols: ['note'], latest: { note: "x' OR '1'='1" } },
  'web.empty': { cols: ['day'], latest: {} },
  'web.plain': { cols: [], latest: {} },
  'web.clicks': { cols: ['day', 'kind'], latest: { day: '2026-01-02', kind: 'page' } },
}

async function rendered(template: string, groups = ['trino', 'presto']) {
  const calls: unknown[] = []
  const macros = buildPartitionMacros(groups, async (table, of) => {
    calls.push([table, of])
    return partitions[table] ?? { cols: [], latest: {} }
  })
  const context = { values: {}, untrustedValues: {}, names: [], literal: String, dialect: 'trino' }
  return { ...(await renderTemplate(template, { ...context, macros })), calls }
}

it.each([
  ["day = '{{ trino.latest_partition('web.visits') }}'", "day = '2026-01-02'"],
  ["day = DATE '{{ presto.first_latest_partition(table_name='web.visits') }}'", "day = DATE '2026-01-02'"],
  ["{% for d in trino.latest_partitions('web.visits') %}'{{ d }}'{% endfor %}", "'2026-01-02'"],
  ["'{{ trino.latest_sub_partition('web.clicks', day='2026-01-02') }}'", "'page'"],
  ["'{{ trino.latest_sub_partition('web.clicks', kind='page') }}'", "'2026-01-02'"],
  ["{{ trino.latest_partition('web.empty') is none }}, {{ trino.latest_partitions('web.empty')|length }}", 'True, 0'],
  ["'{{ trino.latest_sub_partition('web.empty') }}'", "''"],
])('%s renders %s', async (template, text) => {
  expect((await rendered(template)).text).toBe(text)
})

it('queries a repeated call once, and passes given values as text', async () => {
  const { calls } = await rendered(
    "'{{ trino.latest_partition('web.visits') }}' '{{ trino.latest_partition('web.visits') }}' '{{ trino.latest_sub_partition('web.clicks', day=20260102) }}'",
  )
  expect(calls).toEqual([
    ['web.visits', {}],
    ['web.clicks', { day: '20260102' }],
  ])
})

it('a value of the data cannot end the enclosing string', async () => {
  expect((await rendered("note = '{{ trino.latest_partition('web.odd') }}'")).text).toBe("note = 'x'' OR ''1''=''1'")
  await expect(rendered("note = {{ trino.latest_partition('web.odd') }}")).rejects.toThrow('outside of quotes')
})

it.each([
  ["{{ trino.latest_partition('web.plain') }}", 'Verify that this table has a partition.'],
  ["{{ trino.latest_partition('web.clicks') }}", 'Use latest_sub_partition'],
  [
    "{{ trino.latest_sub_partition('web.clicks') }}",
    'A filter needs to be specified for 1 out of the 2 fields: day, kind.',
  ],
  ["{{ trino.latest_sub_partition('web.clicks', land='DE') }}", 'Field [land] is not part of the partitioning key'],
  ["{{ trino.latest_sub_partition('web.clicks', day=['a']) }}", 'day must be a string, a number, or a boolean'],
  ['{{ trino.latest_partition() }}', 'table_name must be a string'],
  ['{{ trino.latest_partition.__class__ }}', 'is unsafe'],
])('%s is rejected: %s', async (template, message) => {
  await expect(rendered(template)).rejects.toThrow(message)
})

it('defines no partition macros for an engine without partitions', async () => {
  await expect(rendered("{{ trino.latest_partition('web.visits') }}", [])).rejects.toThrow("'trino' is undefined")
})
