import { describe, expect, it } from 'vitest'
import { measureCpuMs } from '../../testing/measure-cpu.ts'
import { runTemplate } from './run-template.ts'
import { TemplateError } from './values.ts'

const data = [
  { country: 'France', city: 'Paris', n: 1234.5, day: Date.UTC(2024, 2, 9, 15, 4, 5) },
  { country: 'Japan', city: 'Kyoto & <b>', n: 0, day: null },
  { country: 'France', city: 'Lyon', n: -2, day: Date.UTC(2023, 11, 31) },
]
const run = (source: string, context: Record<string, unknown> = { data }): string =>
  runTemplate(source, { context, locale: 'en' })

describe('a Handlebars template', () => {
  it.each([
    ['{{data.length}} {{data.0.city}} {{data.[2].city}}', '3 Paris Lyon'],
    ['{{#each data}}{{@index}}{{#unless @last}},{{/unless}}{{/each}}', '0,1,2'],
    ['{{#each data as |row at|}}{{at}}={{row.city}};{{/each}}', '0=Paris;1=Kyoto &amp; &lt;b&gt;;2=Lyon;'],
    ['{{#each data}}{{#if n}}+{{else}}-{{/if}}{{/each}}', '+-+'],
    ['{{#each data}}{{#if n includeZero=true}}+{{else}}-{{/if}}{{/each}}', '+++'],
    ['{{#each data}}{{#if @first}}a{{else if @last}}c{{else}}b{{/if}}{{/each}}', 'abc'],
    ['{{#with data.[0]}}{{city}} of {{../data.length}}{{/with}}', 'Paris of 3'],
    ['{{#each data}}{{#if n}}{{../data.length}}{{/if}}{{/each}}', '33'],
    ['{{#data}}{{country}} {{/data}}', 'France Japan France '],
    ['{{^nothing}}none{{/nothing}}', 'none'],
    ['{{#each nothing}}x{{else}}none{{/each}}', 'none'],
    ['{{#each data.[0]}}{{@key}} {{/each}}', 'country city n day '],
    ['{{lookup (lookup data 1) "country"}}', 'Japan'],
    ['{{{data.1.city}}} {{data.1.city}}', 'Kyoto & <b> Kyoto &amp; &lt;b&gt;'],
    ['a {{~#if true~}} b {{~/if~}} {{!-- not said --}}c', 'abc'],
    [
      '{{#group data by="country"}}{{value}}:{{#each items}}{{city}} {{/each}};{{/group}}',
      'France:Paris Lyon ;Japan:Kyoto &amp; &lt;b&gt; ;',
    ],
    ['{{#*inline "row"}}<{{city}}>{{/inline}}{{#each data}}{{> row}}{{/each}}', '<Paris><Kyoto &amp; &lt;b&gt;><Lyon>'],
    ['{{#> gone}}else{{/gone}}', 'else'],
    ['{{log "x"}}{{nothing}}{{nothing.at.all}}{{data.0.city.length}}', '5'],
    ['{{@root.data.length}} {{this.data.length}} {{#if (and data (gt data.length 2))}}many{{/if}}', '3 3 many'],
  ])('%s', (source, text) => {
    expect(run(source)).toBe(text)
  })

  it.each([
    [
      '{{dateFormat data.0.day}} {{dateFormat data.0.day format="MMM Do YY, h:mm a [at] dddd"}}',
      '2024-03-09 Mar 9th 24, 3:04 pm at Saturday',
    ],
    ['{{dateFormat data.1.day}}|{{dateFormat "2024-03-09"}}|{{dateFormat "soon"}}', '|2024-03-09|Invalid date'],
    ['{{formatDate "DDDD W Q" data.2.day}}', '365 52 4'],
    ['{{formatNumber data.0.n}} {{formatNumber data.0.n "de-DE"}} {{formatNumber "x"}}', '1,234.5 1.234,5 x'],
    ['{{formatCurrency data.0.n}} {{formatCurrency data.0.n code="EUR"}}', '$1,234.50 €1,234.50'],
    ['{{{stringify data.[2]}}} {{stringify 5}}', '{"country":"France","city":"Lyon","n":-2,"day":1703980800000} 5'],
    ['{{#with (parseJson "[1, {\\"a\\": 2}]")}}{{this.[1].a}}{{/with}}', '2'],
    ['{{sum 1 2}} {{division 1 4}} {{ceil 1.2}} {{abs -3}} {{remainder 7 4}}', '3 0.25 2 3 3'],
    [
      '{{uppercase "a"}}{{capitalizeEach "two words"}} {{excerpt "long text" 4}} {{concat "a" 1 "b"}}',
      'ATwo Words long... a1b',
    ],
    [
      '{{ifx (eq data.0.n 1234.5) "yes" "no"}} {{eqw "1" 1}} {{count data}} {{join (parseJson "[1,2]") "-"}}',
      'yes true 3 1-2',
    ],
  ])('has helpers: %s', (source, text) => {
    expect(run(source)).toBe(text)
  })

  it('a field of a row takes precedence over a helper without arguments', () => {
    expect(run('{{#each data}}{{count}} {{first}}{{/each}}', { data: [{ count: 12, first: 'a' }] })).toBe('12 a')
  })

  it.each([
    'constructor',
    '__proto__',
    'data.constructor.name',
    'data.map',
    'data.0.toString',
    'data.0.city.slice',
    '@root.constructor',
    'lookup data "constructor"',
    'lookup (lookup data "__proto__") "map"',
  ])('does not reach prototypes: %s', (path) => {
    expect(run(`[{{${path}}}]`)).toBe('[]')
  })
  it('reads fields named like members of prototypes', () => {
    expect(
      run('{{constructor}} {{data.__proto__}}', JSON.parse('{"constructor": 1, "data": {"__proto__": 2}}') as never),
    ).toBe('1 2')
    expect(() => run('{{constructor 1}}')).toThrow(TemplateError)
  })

  const failure = (source: string) => {
    try {
      return run(source)
    } catch (error) {
      const { kind, line, detail } = error as TemplateError
      return { kind, line, detail: detail.split('\n')[0] }
    }
  }
  it.each([
    ['a\n{{#each data}}\nb\n{{/if}}', { kind: 'syntax', line: 2, detail: "each doesn't match if - 2:3" }],
    ['a\nb\n{{city', { kind: 'syntax', line: 3, detail: 'ab{{city' }],
    ['a\n{{ nope 1 }}', { kind: 'helper', line: 2, detail: 'nope' }],
    ['a\n\n{{#if (nope 1)}}{{/if}}', { kind: 'helper', line: 3, detail: 'nope' }],
    ['{{> gone}}', { kind: 'partial', line: 1, detail: 'gone' }],
    ['\n{{formatNumber 1 "no locale"}}', { kind: 'failed', line: 2, detail: 'Incorrect locale information provided' }],
    ['{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}', { kind: 'steps', line: 1, detail: '' }],
    [
      '{{#*inline "a"}}{{#each @root.data}}{{> a}}{{> a}}{{/each}}{{/inline}}{{> a}}',
      { kind: 'steps', line: 1, detail: '' },
    ],
  ])('reports where it fails: %s', (source, error) => {
    expect(failure(source)).toEqual(error)
  })
  it('stops a template that would run too long', () => {
    const many = { data: Array.from({ length: 3000 }, (_, n) => ({ n })) }
    expect(() => run('{{#each data}}{{#each ../data}}{{n}}{{/each}}{{/each}}', many)).toThrow(/^steps/)
    expect(() => run('{{#each data}}{{stringify ../data}}{{/each}}', many)).toThrow(/^(?:steps|length)/)
  })
})

it.each([
  ['times in words', '{{#each data}}{{#each ../data}}{{dateFormat n format="LLLL LLLL dddd"}}{{/each}}{{/each}}'],
  ['currencies', '{{#each data}}{{#each ../data}}{{formatCurrency n currency="EUR"}}{{/each}}{{/each}}'],
  ['blocks within blocks', '{{#if data}}'.repeat(3000) + '{{/if}}'.repeat(3000)],
  ['what else has an inside', '{{^data}}'.repeat(3000) + '{{/data}}'.repeat(3000)],
  ['calls within calls', `{{${'(not '.repeat(3000)}data${')'.repeat(3000)}}}`],
])('regression: stops early on %s, which blocked a page for up to 47 seconds', (_, source) => {
  const data = Array.from({ length: 1000 }, (__, n) => ({ n }))
  const ms = measureCpuMs(() =>
    expect(() => runTemplate(source, { context: { data }, locale: 'en' })).toThrow(TemplateError),
  )
  expect(ms).toBeLessThan(6000)
})
