import { expect, it } from 'vitest'
import { renderTemplate, type TemplateContext, TemplateError, type TemplateValue } from './index.ts'

const context: TemplateContext = {
  values: {},
  untrustedValues: { name: 'x'.repeat(1000), names: Array<string>(1000).fill('y') },
  names: [],
  macros: {},
  literal: (value: TemplateValue) => JSON.stringify(value),
  dialect: 'postgresql',
}
const doubled = (of: string, times: number) =>
  `{% for i in range(${times}) %}{% set ns.${of} = [ns.${of}, ns.${of}] %}{% endfor %}`
const nested = `{% set ns = namespace(a=[1], b=[1]) %}${doubled('a', 40)}${doubled('b', 40)}`
const blanks = ' '.repeat(500_000)

/** Without a bound, each of these runs for hours or exhausts the memory. */
it.each<[string, string, string]>([
  ['blanks before a tag', `${blanks}x{{ 1 }}`, ''],
  ['blanks in a tag', `{{ 1 ${blanks} }}`, ''],
  ['blanks in a text of a tag', `{{ '${blanks}' }}`, 'too many consecutive spaces'],
  ['raw blocks that do not end', '{%raw%}'.repeat(100_000), ''],
  ['tags that do not end', '{{ '.repeat(100_000), ''],
  ['comments that do not end', '{# '.repeat(100_000), 'Missing end'],
  ['tags without number', '{{1}}'.repeat(100_000), 'too long'],
  ['lists of the same lists, compared', `${nested}{{ ns.a == ns.b }}`, 'a list that is too long'],
  ['looked through', `${nested}{{ ns.a in ns.b }}`, 'a list that is too long'],
  ['printed', `${nested}{{ ns.a }}`, 'a list that is too long'],
  ['written as JSON', `${nested}{{ ns.a | tojson }}`, 'a list that is too long'],
  ['written as SQL', `${nested}{{ ns.a | where_in }}`, 'a list that is too long'],
  ['given by a viewer', `{% set ns = namespace(a=names, b=names) %}${doubled('a', 40)}{{ ns.a | length }}`, ''],
  ['a list that holds itself', '{% set a = [1] %}{% set _ = a.append(a) %}{{ a }}', 'a list that is too long'],
  [
    'a text cut into pieces',
    "{% set ns = namespace(a='x,x,x,x,x,') %}{% for i in range(13) %}{% set ns.a = ns.a ~ ns.a %}{% endfor %}{{ ns.a.split(',') | length }}",
    'a list that is too long',
  ],
  [
    'a search in a list again and again',
    '{% set a = range(9000) %}{% for i in range(4000) %}{% if 99999 in a %}{% endif %}{% endfor %}',
    'takes too long',
  ],
])('regression: stopped by a bound: %s', async (_name, template, sentence) => {
  const message = await renderTemplate(template, context).then(
    () => '',
    (error: unknown) => {
      expect(error).toBeInstanceOf(TemplateError)
      return (error as TemplateError).message
    },
  )
  expect(message).toContain(sentence)
})

it('regression: rejects more values than a template may receive', async () => {
  const names = Array<string>(20_000).fill('y')
  await expect(renderTemplate('{{ 1 }}', { ...context, untrustedValues: { names } })).rejects.toThrow(
    'at most 10,000 values',
  )
})

it.each([
  ['a\n{{ 1 }}\n', 'a\n1'],
  ['a  {{- 1 -}}  b', 'a1b'],
  ['a {%- if true -%} b {%- endif -%} c', 'abc'],
  ['a {#- gone -#} b{# gone #}c', 'abc'],
  ["{{ {'a': {'b': 1}}['a']['b'] }}{{ '}}' }}", '1}}'],
  ['{% raw %}{{ T0; }}{% endraw %} T1; {{ 2 }}', '{{ T0; }} T1; 2'],
  ["{{ 'a\\'  b' }}", "a'  b"],
  ["{% set x = {'a': 1} %}{{ x['a'] }}", '1'],
])('renders tags and the text between them: %s', async (template, expected) => {
  expect((await renderTemplate(template, context)).text).toBe(expected)
})

it('regression: macros that wait do not multiply the steps of a template', async () => {
  const macros = { later: { call: (args: unknown[]) => Promise.resolve(Number(args[0])) } }
  const loop = '{% for i in range(2000) %}{% set x = i %}{% endfor %}'
  const calls = (count: number) => Array.from({ length: count }, (_, index) => `{{ later(${index}) }}`).join('')
  const render = (template: string) => renderTemplate(template, { ...context, macros })
  expect((await render(calls(15))).text).toBe('01234567891011121314')
  expect((await render(`${loop}1`)).text).toBe('1')
  await expect(render(`${loop}${calls(15)}`)).rejects.toThrow('takes too long')
})
