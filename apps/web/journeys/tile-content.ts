import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { trimTime, type ExpectedResult, type Value } from './expected-result.ts'

/** The content that a tile shows. */
export type TileContent =
  | { as: 'nothing' }
  | { as: 'number'; text: string }
  /** The visible cells, and the total number of rows. */
  | { as: 'table'; cells: string[][]; rows: number }
  /** The text alternative of the chart, and all of its data as the T key shows it. */
  | { as: 'picture'; words: string; names: string[]; cells: string[][] }

export async function readTile(tile: Locator): Promise<TileContent> {
  if ((await tile.getByText('No rows match these filters').count()) > 0) return { as: 'nothing' }
  const plot = tile.locator('[role="figure"][aria-describedby]')
  if ((await plot.count()) > 0) return readPicture(tile, plot)
  const grid = tile.getByRole('grid')
  if ((await grid.count()) > 0)
    return grid.evaluate((element) => ({
      as: 'table' as const,
      rows: Number(element.getAttribute('aria-rowcount')) - 1,
      cells: [...element.querySelectorAll('[role="row"][data-row]')].map((row) =>
        [...row.querySelectorAll('[role="gridcell"]')].map((cell) => cell.textContent),
      ),
    }))
  const [text = ''] = (await tile.locator('[role="figure"]').innerText()).split('\n')
  return { as: 'number', text: text.trim() }
}

async function readPicture(tile: Locator, plot: Locator): Promise<TileContent> {
  const page = tile.page()
  const words = await plot.evaluate(
    (element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent ?? '',
  )
  await plot.focus()
  await page.keyboard.press('t')
  const grid = tile.getByRole('grid')
  await grid.waitFor()
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await page.keyboard.press('ControlOrMeta+a')
  const lines = Number(await grid.getAttribute('aria-rowcount'))
  let copied: string[] = []
  const copy = async () => {
    await page.keyboard.press('ControlOrMeta+c')
    copied = (await page.evaluate(() => navigator.clipboard.readText())).split('\n')
    return [copied.length, copied[0]?.split('\t').length]
  }
  // The page writes to the clipboard asynchronously.
  await expect.poll(copy).toEqual([lines, Number(await grid.getAttribute('aria-colcount'))])
  await page.keyboard.press('Escape')
  const [names = [], ...cells] = copied.map((line) => line.split('\t'))
  return { as: 'picture', words, names, cells }
}

/** Differences between a tile and the result, one sentence each; empty is good. */
export function findMismatches(shown: TileContent, answer: ExpectedResult): string[] {
  switch (shown.as) {
    case 'nothing':
      return answer.rows.length === 0 ? [] : [`shows nothing of ${answer.rows.length} rows`]
    case 'number': {
      const value = lastNumber(answer)
      return isFormattedAs(shown.text, value) ? [] : [`shows ${shown.text} for ${value}`]
    }
    case 'table':
      return wrongRows(shown, answer)
    case 'picture':
      return answer.dimensions.length > 0 ? wrongPicture(shown, answer) : ['a picture without dimensions']
  }
}

/** The only number, or the last one of a series. */
function lastNumber({ dimensions, rows }: ExpectedResult): number | null {
  const last = rows.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)).at(-1)
  return (last?.[dimensions.length] as number | null | undefined) ?? null
}

/**
 * Errors of a table: each visible row must be one of the engine, in its place as far as the order defines it, and none may be
 * missing.
 */
function wrongRows(
  { cells, rows }: TileContent & { as: 'table' },
  { ordered, most, rows: answer }: ExpectedResult,
): string[] {
  const isSame = (row: string[], other: Value[]) =>
    row.every((text, index) => isFormattedAs(text, other[index] ?? null))
  const isInPlace = (row: string[], index: number) =>
    ordered === null || isFormattedAs(row[ordered] ?? '', answer[index]?.[ordered] ?? null)
  return [
    ...(cells.length === 0 ? ['shows no rows'] : []),
    ...(rows === Math.min(most, answer.length) ? [] : [`has ${rows} rows of ${answer.length}`]),
    ...cells.flatMap((row, index) =>
      answer.some((other) => isSame(row, other)) && isInPlace(row, index)
        ? []
        : [`row ${index + 1}: ${row.join(' | ')}`],
    ),
  ]
}

/** Errors of a chart: its points must be exactly those of the engine, and the largest one must be in its text alternative. */
function wrongPicture({ words, names, cells }: TileContent & { as: 'picture' }, answer: ExpectedResult): string[] {
  const points = collectPoints(answer)
  const seen =
    answer.dimensions.every((name) => names.includes(name)) && isLong(answer)
      ? longPoints(names, cells, answer)
      : widePoints(names, cells)
  const largest = Math.max(...points.values())
  const ofSeries = /Highest: ([−\d.,]*\d[kMG%]?) \(/.exec(words)
  const ofParts = /Largest: .*, ([−\d.,]*\d[kMG%]?)\. Smallest/.exec(words)
  const ofOne = /with 1 (?:part|shape): .*, ([−\d.,]*\d[kMG%]?)\./.exec(words)
  const largestText = (ofSeries ?? ofParts ?? ofOne)?.[1] ?? ''
  return [
    ...[...points].flatMap(([name, value]) =>
      isClose(seen.get(name), value) ? [] : [`${name}: shows ${seen.get(name)} for ${value}`],
    ),
    ...[...seen.keys()].flatMap((name) => (points.has(name) ? [] : [`${name}: shown, and not there`])),
    ...(isFormattedAs(largestText, largest) ? [] : [`says ${words} where the largest is ${largest}`]),
  ]
}

/** Parts of a whole and cells keep their dimensions as columns; series over an axis are columns themselves. */
const isLong = ({ metrics }: ExpectedResult): boolean => metrics.length === 1

const isClose = (a: number | undefined, b: number): boolean =>
  a !== undefined && Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b))

/** Values by position and series, named as in a chart over an axis; nulls are not points. */
function collectPoints({ dimensions, metrics, rows }: ExpectedResult): Map<string, number> {
  const points = new Map<string, number>()
  for (const row of rows)
    for (const [at, metric] of metrics.entries()) {
      const value = row[dimensions.length + at]
      const [x, ...series] = row.slice(0, dimensions.length)
      const name = metrics.length === 1 && series.length > 0 ? series.join(', ') : [metric, ...series].join(', ')
      if (typeof value === 'number') points.set(`${x} | ${name}`, value)
    }
  return points
}

function widePoints([, ...series]: string[], cells: string[][]): Map<string, number> {
  const points = new Map<string, number>()
  for (const [x = '', ...values] of cells)
    for (const [at, text] of values.entries())
      if (text !== '') points.set(`${trimTime(x)} | ${series[at]}`, Number(text))
  return points
}

function longPoints(names: string[], cells: string[][], { dimensions, metrics }: ExpectedResult): Map<string, number> {
  const at = dimensions.map((name) => names.indexOf(name))
  const value = names.indexOf(metrics[0]!)
  return new Map(
    cells.flatMap((row): [string, number][] => {
      const [x = '', ...series] = at.map((column) => row[column] ?? '')
      return row[value] === '' ? [] : [[`${trimTime(x)} | ${series.join(', ') || metrics[0]}`, Number(row[value])]]
    }),
  )
}

const scales: Record<string, number> = { k: 1e3, M: 1e6, G: 1e9, B: 1e9, '%': 0.01 }

/** True if the text is the value as formatted for people: rounded to its last digit, or a time cut at its precision. */
export function isFormattedAs(text: string, value: Value): boolean {
  if (value === null) return ['', '∅', 'N/A'].includes(text)
  if (typeof value !== 'number') return value === text || isTimeFormattedAs(text, String(value))
  const [, whole = '', part = '', unit = ''] = /^([-−]?[\d,]+)(?:\.(\d+))?([kMGB%])?$/.exec(text) ?? []
  if (whole === '') return false
  const scale = scales[unit] ?? 1
  const written = Number(`${whole.replace('−', '-').replaceAll(',', '')}.${part || 0}`) * scale
  return Math.abs(written - value) <= (scale * 10 ** -part.length) / 2 + 1e-9 * Math.abs(value)
}

const isTimeFormattedAs = (text: string, time: string): boolean =>
  /^\d{4}-\d\d-\d\d/.test(time) && text !== '' && `${time} 00:00:00`.replace('T', ' ').startsWith(text)
