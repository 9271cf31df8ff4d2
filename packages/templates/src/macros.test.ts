import { expect, it } from 'vitest'
import { buildMacros, type MacroScope, needsRendering, renderTemplate, UserAttributeError } from './index.ts'

const scope: MacroScope = {
  user: { id: 7, username: "o'neil", email: 'o@example.com', roles: ['Gamma', 'Alpha'] },
  attributes: new Map([
    ['region', ["N'orth"]],
    ['team', ['1', "2' OR 1=1 --"]],
    ['none', []],
    ['path', ['\\']],
  ]),
  url_params: new Map([['minhp', '130']]),
  filters: [
    { col: 'region', op: 'in', val: ["N'orth", 'South'] },
    { col: 'year', op: '==', val: 1970 },
    { col: 'day', op: 'TEMPORAL_RANGE', val: '2024-01-01 : 2024-02-01' },
    { col: 'none', op: 'IN', val: null },
  ],
  timeRange: (range) => {
    const [since, until] = range.split(' : ')
    return until ? { since: `${since}T00:00:00`, until: `${until}T00:00:00` } : { since: null, until: null }
  },
  time_range: '2020-01-01 : 2021-01-01',
  instant: (iso, type) => `${type}('${iso}')`,
  rules: ['b = 1', 'a = 1'],
  dataset: async (id, { include_metrics }) => `(SELECT ${include_metrics}) AS dataset_${id}`,
  metric: async (key, id) => `SUM(${key}${id ?? ''})`,
}

async function rendered(template: string) {
  const used = { applied: new Set<string>(), removed: new Set<string>() }
  const { text } = await renderTemplate(template, {
    values: {},
    untrustedValues: {},
    names: [],
    macros: buildMacros(scope, used),
    literal: (value) => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)),
    dialect: 'postgresql',
  })
  return { text, applied: [...used.applied], removed: [...used.removed] }
}

it.each([
  ["{{ filter_values('region')|where_in }}", "('N''orth', 'South')"],
  ["'{{ filter_values('region')[0] }}'", "'N''orth'"],
  ["{{ filter_values('year')[0] }}", '1970'],
  [
    "{{ filter_values('none') }} {{ filter_values('none', 'x') }} {{ filter_values('no', default='y')[0] }}",
    "[] ['x'] y",
  ],
  ["'{{ get_filters('region')[0]['op'] }}' {{ get_filters('region')[0].val|length }}", "'IN' 2"],
  ["{% for f in get_filters('year') %}{{ f.get('op') == '==' }}{% endfor %}", 'True'],
  ["{{ url_param('minhp') }} {{ url_param('none') }} {{ url_param('x', 'd') }}", '130 NULL d'],
  [
    "{{ current_user_id() }} '{{ current_username() }}' {{ current_user_roles()|where_in }}",
    "7 'o''neil' ('Alpha', 'Gamma')",
  ],
  ["a = {{ user_attribute('region') }}", "a = 'N''orth'"],
  ["a = '{{ user_attribute('region') }}' -- {{ user_attribute('region') }}", "a = 'N''orth' -- North"],
  ["a = '{{ user_attribute('region')|upper }}'", "a = 'N''ORTH'"],
  ["{% set r = user_attribute(name='region') %}(a = {{ r }})", "(a = 'N''orth')"],
  ["a IN {{ user_attribute('team', many=true)|where_in }}", "a IN ('1', '2'' OR 1=1 --')"],
  ["a IN {{ user_attribute('region', true)|where_in }}", "a IN ('N''orth')"],
  ["{% for t in user_attribute('team', many=true) %}{{ t }};{% endfor %}", "'1';'2'' OR 1=1 --';"],
  [
    "{% if user_attribute('region') == 'South' %}1=1{% else %}a > {{ user_attribute('team', true)[0]|int }}{% endif %}",
    'a > 1',
  ],
  ["{{ current_user_rls_rules()|join(' AND ') }}", 'a = 1 AND b = 1'],
  [
    "{{ cache_key_wrapper(5) }} {{ dataset(3, include_metrics=True) }} {{ metric('m') }} {{ metric('m', 2) }}",
    '5 (SELECT true) AS dataset_3 SUM(m) SUM(m2)',
  ],
  [
    "{{ get_time_filter('day').from_expr }} {{ get_time_filter('day', strftime='%Y%m%d').to_expr }}",
    '2024-01-01T00:00:00 20240201',
  ],
  [
    "{{ get_time_filter().time_range }} {{ get_time_filter('no', default='2022-01-01 : 2023-01-01', target_type='DATE').to_expr }}",
    "2020-01-01 : 2021-01-01 DATE('2023-01-01T00:00:00')",
  ],
  ["{{ get_time_filter('no').from_expr }}", 'NULL'],
  ["{{ filter_values('none')|where_in }} {{ filter_values('none')[0] }}", '(null) NULL'],
])('%s', async (template, expected) => {
  expect((await rendered(template)).text).toBe(expected)
})

it('reports which filters were read and which the query must omit', async () => {
  expect(
    await rendered(
      "{% if filter_values('region') %}{% endif %}{{ get_filters('year', remove_filter=True)|length }}{{ filter_values('none') }}",
    ),
  ).toMatchObject({
    applied: ['region', 'year'],
    removed: ['year'],
  })
})

it.each([
  ['missing', "a = {{ user_attribute('nothing') }}", 'You have no value of the user attribute "nothing".'],
  [
    'missing',
    "a IN {{ user_attribute('none', many=true)|where_in }}",
    'You have no value of the user attribute "none".',
  ],
  ['missing', "{{ user_attribute('constructor') }}", 'You have no value of the user attribute "constructor".'],
  ['several', "a = {{ user_attribute('team') }}", 'You have several values of the user attribute "team".'],
])('refuses an attribute that is %s: %s', async (reason, template, text) => {
  const error = await rendered(template).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UserAttributeError)
  expect(error).toMatchObject({ reason, message: expect.stringContaining(text) })
})

it.each([
  "a = E{{ user_attribute('path') }}",
  "a = U&{{ user_attribute('path') }}",
  "a = N{{ user_attribute('path') }}",
  "a = {{ user_attribute('path') }}{{ user_attribute('path') }}",
  "a = {{ user_attribute('path') }}'x'",
  "a = '{{ user_attribute('path') }}",
  "a = {{ user_attribute('region')|upper }}",
])('refuses to write an attribute where its text could change the meaning of the SQL: %s', async (template) => {
  await expect(rendered(template)).rejects.toThrow('outside of quotes')
})

it('recognizes user_attribute between quotes as a template', () => {
  expect(needsRendering("a = '{{ user_attribute('region') }}'", 'postgresql')).toBe(true)
})
