import { readFileSync } from 'node:fs'
import { textAt } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { readAllFixtures, type Fixture } from '../testing/fixtures.ts'
import { drawChart } from './index.ts'

const catalog = (area: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../../../messages/${area}.en-XA.json`, import.meta.url), 'utf8')) as never
/** A language in which each text of the catalogue is marked. */
const messages = { ...catalog('picture'), ...catalog('charts') }

const title = 'A title'
const draw = ({ form, frames, annotations }: Fixture) =>
  drawChart(String(form.viz_type), frames, form, { title, annotations, messages, locale: 'en' })

/** Words of months and days come from the locale, not from the catalogue. */
const timeNames = Array.from({ length: 12 }, (_, month) =>
  ['long', 'short'].map((style) =>
    new Date(Date.UTC(2024, month, month + 1)).toLocaleDateString('en', {
      month: style as 'long',
      weekday: style as 'long',
      timeZone: 'UTC',
    }),
  ),
).flat(2)

/** What a picture writes that is of the product and not in the reader's language. */
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

/** Marks stand around what the catalogue says, one text in another; a text that was cut has lost its end. */
function withoutMarked(text: string): string {
  const rest = text.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ')
  return rest === text ? text.replace(/⟦.*$/s, '') : withoutMarked(rest)
}

/** Texts of columns are bytes; here they are words. */
const readNames = ({ frames }: Fixture): string[] =>
  Object.values(frames).flatMap(({ columns, rows }) =>
    columns.flatMap((column) => Array.from({ length: rows }, (_, row) => textAt(column, row) ?? '')),
  )

it.each(readAllFixtures().map((fixture) => [String(fixture.form.viz_type), fixture.name, fixture] as const))(
  'I18N: %s (%s) says in the language of its reader whatever is not data',
  async (_, __, fixture) => {
    expect(await untranslated(fixture)).toEqual([])
  },
)
