import { describe, expect, it } from 'vitest'
import {
  UntrustedValue,
  needsRendering,
  renderTemplate,
  type Macro,
  type TemplateContext,
  TemplateError,
  type TemplateValue,
} from './index.ts'

const literal = (value: TemplateValue): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : value === null ? 'NULL' : String(value)

const untrustedMacro = (value: TemplateValue): Macro => ({ call: () => new UntrustedValue(value) })

const context = (
  values: Record<string, TemplateValue> = {},
  macros: Record<string, Macro> = {},
  dialect = 'postgresql',
): TemplateContext => ({ values, untrustedValues: { chosen: "x'y" }, names: ['amount'], macros, literal, dialect })

const text = async (template: string, ...rest: Parameters<typeof context>): Promise<string> =>
  (await renderTemplate(template, context(...rest))).text

const failure = (template: string, ...rest: Parameters<typeof context>): Promise<TemplateError> =>
  renderTemplate(template, context(...rest)).then(
    ({ text }) => expect.unreachable(`${template} gave ${text}`),
    (error: TemplateError) => error,
  )

describe('the language', () => {
  it.each<[string, string]>([
    ['SELECT 1', 'SELECT 1'],
    ["SELECT '{' || '}'", "SELECT '{' || '}'"],
    ['{{ 4 + 4 }}', '8'],
    ['{{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 7 / 2 }} {{ 4 / 2 }} {{ 2 ** 3 }}', '3 -4 2 3.5 2.0 8'],
    ["{{ '1' == 1 }} {{ 1 == 1.0 }} {{ [1, [2]] == [1, [2]] }} {{ 2 in [1, 2] }}", 'False True True True'],
    ['{% for i in [1, 2] %}{{ i }}{% if not loop.last %}, {% endif %}{% else %}none{% endfor %}', '1, 2'],
    ['{% for i in range(3) %}{{ loop.index }}{% endfor %}', '123'],
    ['{% set x = 5 %}{{ x }}{# comment #}', '5'],
    ['{% macro pair(a, b=2) %}({{ a }},{{ b }}){% endmacro %}{{ pair(1) }}{{ pair(1, b=3) }}', '(1,2)(1,3)'],
    ["{{ 'a' ~ 1 }}{{ ' b '|trim|upper }}{{ none|default('x', true) }}", 'a1Bx'],
    ["{{ ','.join(['a', 'b']) }} {{ [1, 2]|join('-') }} {{ [3, 1]|sort|first }}", 'a,b 1-2 1'],
    ["{{ ['a', \"b'c\"]|where_in }} {{ [1, none]|where_in }}", "('a', 'b''c') (1, NULL)"],
    ["{{ ('a', 'b') }} {{ [1, 'x'] }} {{ none }} {{ true }}", "('a', 'b') [1, 'x'] NULL True"],
    ["{{ [1, 2, 3]|map('string')|join }} {{ [{'a': 1}]|map(attribute='a')|sum }}", '123 1'],
    ['{% set l = [] %}{% set _ = l.append(4) %}{{ l[0] }}{{ l|length }}', '41'],
    ['{% raw %}{{ x }}{% endraw %}', '{{ x }}'],
    ["{{ 'x' if missing is defined else 'y' }}", 'y'],
    ["{{ '03/02/2024'|to_datetime('%d/%m/%Y') }}", '2024-02-03 00:00:00'],
  ])('%s', async (template, expected) => {
    expect(await text(template)).toBe(expected)
  })

  it('provides values and macros, and calls an asynchronous macro once for equal arguments', async () => {
    let callCount = 0
    const slow: Macro = { call: async ([name], { more }) => `${String(name)}${String(more)}${++callCount}` }
    expect(await text('{{ n }} {{ slow("a", more=2) }} {{ slow("a", more=2) }}', { n: 5 }, { slow })).toBe('5 a21 a21')
  })

  it('regression: reports an incomplete template with its own message', async () => {
    expect(await failure('{% if x %}')).toMatchObject({ message: 'The template is incomplete: it ends unexpectedly.' })
  })

  it('writes a missing value so that the SQL stays valid: NULL outside of quotes, as the language does within them', async () => {
    const values = { found: [] as string[], none: null }
    expect(await text("a = {{ none }} AND b = '{{ none }}' AND c = {{ found[0] }}", values)).toBe(
      "a = NULL AND b = 'None' AND c = NULL",
    )
    expect(await text("d = '{{ found|first }}' AND e IN {{ found|where_in }} /* {{ none }} */", values)).toBe(
      "d = '' AND e IN (NULL) /* None */",
    )
    expect(await text("{{ found[0]|default('x') }} {% if none is none %}y{% endif %}", values)).toBe('x y')
  })

  it.each([
    ['SELECT {{ n }}', true],
    ['{% if x %}SELECT 1{% endif %}', true],
    ["SELECT * FROM t WHERE day >= '{{ from_dttm }}'", true],
    ['SELECT \'{{ url_param("x") }}\'', true],
    ["SELECT {'a': {'b': 1}} AS s, [{'a': 1}]", false],
    ["SELECT * FROM mails WHERE body LIKE '%{{ name }}%' -- {{ n }}", false],
    ['SELECT "{{ a }}", 1', false],
    ['SELECT 1', false],
  ])('%s needs rendering: %s', (sql, expected) => expect(needsRendering(sql, 'duckdb')).toBe(expected))

  it('lists unknown names that are needed, but not those that are only tested', async () => {
    expect(
      (await renderTemplate('{% if a %}x{% endif %}{{ b }}{{ c|default(1) }} {{ d }}', context())).unknown,
    ).toEqual(['b', 'd'])
    expect(await failure('{{ nope() }}')).toMatchObject({ message: "'nope' is undefined", undefinedName: null })
    expect(await failure('{{ n + 1 }}')).toMatchObject({ message: "'n' is undefined", undefinedName: 'n' })
    expect(await failure('{{ a.b.c }}')).toMatchObject({ undefinedName: 'a' })
  })

  it.each(['SELECT {{ n AS a', '{% if x %}', '{{ 4 + }}', '{% endfor %}', '{{ 1 / 0 }}', "{{ 'a'|nope }}"])(
    'reports the error in %s',
    async (template) => {
      expect(await failure(template, { n: 1 })).toBeInstanceOf(TemplateError)
    },
  )
})

describe('the sandbox', () => {
  it.each([
    ["{{ ''.__class__.__mro__ }}", "access to attribute '__class__' of 'str' object is unsafe."],
    ["{{ ''['__class__'] }}", "access to attribute '__class__' of 'str' object is unsafe."],
    ['{{ [].__proto__ }}', "access to attribute '__proto__' of 'list' object is unsafe."],
    ["{{ [{'a': 1}]|map(attribute='__class__')|list }}", "access to attribute '__class__' of 'dict' object is unsafe."],
  ])('%s', async (template, message) => {
    expect((await failure(template)).message).toBe(message)
  })

  it.each([
    ["{{ ''.constructor }}", ['constructor']],
    ['{{ {}.hasOwnProperty }}{{ {}.toString }}', ['hasOwnProperty', 'toString']],
    ['{{ process }}{{ globalThis }}', ['process', 'globalThis']],
  ])('%s does not reach the host', async (template, unknown) => {
    expect(await renderTemplate(template, context())).toEqual({ text: '', unknown })
  })

  const tooLong = 'The template takes too long to render. Simplify it.'
  const tooLongText = 'The template creates a string that is too long.'
  it.each([
    ['{% for i in range(1000000000) %}{% endfor %}', 'A range can have at most 10,000 numbers.'],
    [
      '{% for i in range(9999) %}{% for j in range(9999) %}{% for k in range(9999) %}{% endfor %}{% endfor %}{% endfor %}',
      tooLong,
    ],
    ["{% set x = 'aaaaaaaaaa' %}{% for i in range(60) %}{% set x = x ~ x %}{{ x|length }}{% endfor %}", tooLongText],
    [
      "{% set ns = namespace(x='aaaaaaaaaa') %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ ns.x }}",
      tooLongText,
    ],
    [
      "{% set ns = namespace(x='a') %}{% for i in range(16) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}{% for i in range(2000) %}{% set y = ns.x|upper %}{% endfor %}",
      tooLong,
    ],
    [
      '{% set ns = namespace(x=[1,2,3]) %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}',
      'The template creates a list that is too long.',
    ],
    ["{{ 'a\nb'|indent(900000000) }}", tooLongText],
    [
      "{% set ns = namespace(x='aaaaaaaaaaaaaaaaaaaa') %}{% for i in range(40) %}{% set ns.x = ns.x|replace('a', ns.x) %}{% endfor %}",
      tooLongText,
    ],
    ['{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}', "'f' is undefined"],
    [`${'{{ ('.padEnd(15_000, '(')}1${')'.repeat(14_996)} }}`, 'The template is nested too deeply.'],
    ['{{ [1]|tojson(indent=100000000) }}', tooLongText],
  ])('is stopped by a bound: %s', async (template, message) => {
    expect((await failure(template)).message).toBe(message)
  })

  it('treats keys of input such as __proto__ as plain keys', async () => {
    const value = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}') as TemplateValue
    expect(await text("{{ p.get('x') }} {{ p.constructor }}", { p: value })).toBe('NULL 2')
  })
})

describe('values of viewers', () => {
  const evil = "x' OR 1=1 --"
  const macros = {
    f: untrustedMacro(evil),
    column: untrustedMacro('amount'),
    way: untrustedMacro('desc'),
    table: untrustedMacro('secrets'),
    n: untrustedMacro('130'),
    list: untrustedMacro(["a'b", 'c']),
    evil: untrustedMacro('130 OR 1=1'),
    back: untrustedMacro("\\' OR 1=1 --"),
  }
  const place = (template: string, dialect = 'postgresql') => text(template, {}, macros, dialect)

  it.each<[string, string]>([
    ["WHERE a = '{{ f() }}'", "WHERE a = 'x'' OR 1=1 --'"],
    ["WHERE a = '{{ f()|upper }}'", "WHERE a = 'X'' OR 1=1 --'"],
    ["WHERE a = '{{ f()[0:9] }}'", "WHERE a = 'x'' OR 1=1'"],
    ['WHERE a = \'{{ f().split(" ")[0] }}\'', "WHERE a = 'x'''"],
    ['WHERE a = \'{{ f() or "z" }}\'', "WHERE a = 'x'' OR 1=1 --'"],
    ["{% set v = f() %}WHERE a = '{{ v }}'", "WHERE a = 'x'' OR 1=1 --'"],
    ["{% for v in list() %}'{{ v }}' {% endfor %}", "'a''b' 'c' "],
    ['{{ "\'" ~ f() ~ "\'" }}', "'x'' OR 1=1 --'"],
    ["IN ('{{ \"','\".join(list()) }}')", "IN ('a''b','c')"],
    ["IN ('{{ list()|join(\"','\") }}')", "IN ('a''b','c')"],
    ['IN {{ list()|where_in }}', "IN ('a''b', 'c')"],
    ['IN ({{ list()|where_in ~ "" }})', "IN (('a''b', 'c'))"],
    ['WHERE a > {{ n() }}', 'WHERE a > 130'],
    ["SELECT '{{ chosen }}'", "SELECT 'x''y'"],
    ['ORDER BY {{ column() }} {{ way() }}', 'ORDER BY amount desc'],
    ['SELECT "{{ f() }}"', 'SELECT "x\' OR 1=1 --"'],
    ['{% if f() == "x\' OR 1=1 --" %}same{% endif %}', 'same'],
    ['SELECT 1 -- {{ f() }}', 'SELECT 1 -- x OR 11 '],
  ])('%s', async (template, expected) => {
    expect(await place(template)).toBe(expected)
  })

  it('escapes backslashes in quotes that interpret them', async () => {
    expect(await place("SELECT E'{{ back() }}'")).toBe("SELECT E'\\\\'' OR 1=1 --'")
    expect(await place("SELECT '{{ back() }}'", 'mysql')).toBe("SELECT '\\\\'' OR 1=1 --'")
    expect(await place("SELECT 'it\\'s {{ back() }}'", 'mysql')).toBe("SELECT 'it\\'s \\\\'' OR 1=1 --'")
    expect(await place('SELECT `{{ f() }}` # {{ f() }}', 'mysql')).toBe("SELECT `x' OR 1=1 --` # x OR 11 ")
    expect(await place("SELECT '{{ back() }}'")).toBe("SELECT '\\'' OR 1=1 --'")
  })

  it.each([
    'WHERE a > {{ evil() }}',
    'WHERE {{ f() }}',
    'WHERE a = {{ f()|lower }}',
    'ORDER BY {{ list()[0] }}',
    'FROM {{ table() }}',
  ])('rejects values outside of quotes: %s', async (template) => {
    const error = await renderTemplate(template, context({}, macros)).then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(TemplateError)
    expect((error as TemplateError).message).toContain('outside of quotes')
  })
})
