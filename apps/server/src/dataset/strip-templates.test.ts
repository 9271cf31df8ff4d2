import { measureCpuMs } from '@parquetry/testing/processor-time'
import { expect, it } from 'vitest'
import { stripTemplates } from './strip-templates.ts'

it.each([
  ['SELECT 1', 'SELECT 1'],
  ['SELECT {{ url_param("x") }} AS a {# note #}', 'SELECT NULL AS a '],
  ["SELECT a FROM t WHERE 1 = 1 {% if f('o') %}AND o IN {{ f('o') }}{% endif %}", 'SELECT a FROM t WHERE 1 = 1 '],
  ['{% if a %}x{% for b in c %}y{% endfor %}z{% else %}w{%- endif -%} SELECT 2', ' SELECT 2'],
  ['{% set x = 1 %}SELECT 3', 'SELECT 3'],
  ["SELECT a FROM t WHERE o IN {{ filter_values('o') | where_in }}", 'SELECT a FROM t WHERE o IN (NULL)'],
  ["SELECT a FROM t WHERE o IN ({{ url_param('o') }})", 'SELECT a FROM t WHERE o IN (NULL)'],
  [`SELECT '{"a": 1}' AS j`, `SELECT '{"a": 1}' AS j`],
  ['SELECT 4 {% if never closed', 'SELECT 4 {% if never closed'],
])('%s', (sql, left) => {
  expect(stripTemplates(sql)).toBe(left)
})

it('runs in linear time', () => {
  const ms = measureCpuMs(() => {
    stripTemplates('{#'.repeat(400_000))
    stripTemplates('{% if a %}'.repeat(80_000))
  })
  expect(ms).toBeLessThan(5000)
})
