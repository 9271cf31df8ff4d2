import { buildFrame } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { applyDefaults } from '../read-form.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import chart from './chart.ts'

chartSuite(chart, 'handlebars')

const drawn = (more: object, rows = buildFrame({ name: ['a', '<b>'], n: [1, null] })) => {
  const form = applyDefaults(chart.form, { viz_type: 'handlebars', ...more })
  return chart.spec({ rows }, form, buildSpecContext(form))
}

it('lists the rows by default, and if the template is empty', () => {
  const list = '<li>{&quot;name&quot;:&quot;a&quot;,&quot;n&quot;:1}</li>'
  expect(drawn({}).html).toContain(list)
  expect(drawn({ handlebarsTemplate: '' }).html).toContain(list)
})

it('writes values as text, and big integers with all their digits', () => {
  const rows = buildFrame({ name: ['<script>'], id: [12345678901234567n], at: [new Date('2024-03-09')] })
  const { html } = drawn({ handlebarsTemplate: '{{#each data}}{{name}} {{id}} {{dateFormat at}}{{/each}}' }, rows)
  expect(html).toBe('&lt;script&gt; 12345678901234567 2024-03-09')
})

it('a style sheet is a template as well', () => {
  expect(drawn({ styleTemplate: 'li { width: {{data.length}}px }' }).css).toBe('li { width: 2px }')
})

it('reports which of the two has an error, and where', () => {
  expect(drawn({ handlebarsTemplate: 'a\n{{#each data}}' }).error).toMatchObject({
    title: 'Template error on line 2',
    excerpt: expect.stringContaining('{{#each data}}'),
  })
  expect(drawn({ styleTemplate: '{{nope 1}}' }).error).toMatchObject({
    title: 'CSS error on line 1',
    text: 'Unknown helper “nope”.',
  })
})

it('without a browser, draws only the visible text, one line per block', async () => {
  const form = {
    handlebarsTemplate:
      '<style>p {}</style><table>{{#each data}}<tr><td>{{name}}</td><td>{{n}}&nbsp;kg</td></tr>{{/each}}</table>',
  }
  const { svg } = await drawChart('handlebars', { rows: buildFrame({ name: ['a', '<b>'], n: [1, 2] }) }, form)
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)
  expect(texts.slice(1)).toEqual(['a   1 kg', '&lt;b&gt;   2 kg'])
  expect(texts[0]).toContain('in a browser')
})
