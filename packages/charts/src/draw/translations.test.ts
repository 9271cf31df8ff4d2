import { readFileSync } from 'node:fs'
import { textAt } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { readAllFixtures, type Fixture } from '../testing/fixtures.ts'
import { drawChart } from './index.ts'

const catalog = (area: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../../../messages/${area}.en-XA.json`, import.meta.url), 'utf8')) as never
/** A language in which every catalog message is marked. */
const messages = { ...catalog('picture'), ...catalog('charts') }

const title = 'A title'
const draw = ({ form, frames, annotations }: Fixture) =>
  drawChart(String(form.viz_type), frames, form, { title, annotations, messages, locale: 'en' })

/** Month and weekday names come from the locale, not from the catalog. */
const timeNames = Array.from({ length: 12 }, (_, month) =>
  ['long', 'short'].map((style) =>
    new Date(Date.UTC(2024, month, month + 1)).toLocaleDateString('en', {
      month: style as 'long',
      weekday: style as 'long',
      timeZone: 'UTC',
    }),
  ),
).flat(2)

/** Text of the chart that is neither data nor translated. */
async function untranslated(fixture: Fixture): Promise<string[]> {
  const { svg } = await draw(fixture)
  const { form, frames, annotations } = fixture
  const given = JSON.stringify([title, timeNames, form, annotations, Object.values(frames), readNames(fixture)])
    .toLowerCase()
    .replaceAll('\\n', ' ')
  const texts = [...svg.matchAll(/<(?:text|desc|tspan)[^>]*>([^<]*)</g)].map(([, text = '']) => text)
  return texts
    .map(withoutMarked)
    .flatMap((text) => text.match(/[a-z]{4,}/gi) ?? [])
    .filter((word) => !given.includes(word.toLowerCase()))
}

/** Removes marked text. Marks surround catalog messages and may be nested; a truncated text has lost its closing mark. */
function withoutMarked(text: string): string {
  const rest = text.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ')
  return rest === text ? text.replace(/⟦.*$/s, '') : withoutMarked(rest)
}

/** Decodes the text values of the columns, which are stored as bytes. */
const readNames = ({ frames }: Fixture): string[] =>
  Object.values(frames).flatMap(({ columns, rows }) =>
    columns.flatMap((column) => Array.from({ length: rows }, (_, row) => textAt(column, row) ?? '')),
  )

it.each(readAllFixtures().map((fixture) => [String(fixture.form.viz_type), fixture.name, fixture] as const))(
  'I18N: %s (%s) translates all text except data',
  async (_, __, fixture) => {
    expect(await untranslated(fixture)).toEqual([])
  },
)
