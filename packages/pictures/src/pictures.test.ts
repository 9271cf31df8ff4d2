import { readFixtures, type Fixture } from '@parquetry/charts/testing/fixtures'
import { colorScale } from '@parquetry/charts'
import { buildFrame, encodeMessage } from '@parquetry/frame'
import type { LayoutNode, Picture, PictureChart, PictureLayout } from '@parquetry/model'
import { Resvg } from '@resvg/resvg-js'
import { readdirSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Fonts } from './fonts.ts'
import { drawPicture } from './index.ts'

const folders = readdirSync(new URL('../../charts/src', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((path) => /^[\w-]+\/fixtures$/.test(path))
  .map((path) => path.split('/')[0] as string)

/** The first fixture of each chart, with the messages of its result. */
const charts = folders.flatMap((folder, index) => {
  const [fixture] = readFixtures(folder)
  if (!fixture) return []
  const { form, frames } = fixture
  const chart: PictureChart = { id: index + 1, viz_type: String(form['viz_type']), form, title: folder, dataset: {} }
  return [{ chart, messages: framesIn(chart.id, frames) }]
})

function framesIn(chart: number, frames: Fixture['frames']): Uint8Array {
  return Buffer.concat(
    Object.entries(frames).flatMap(([name, frame], query) => [
      encodeMessage({ type: 'frame', chart, query, name, header: { columns: [] } }),
      encodeMessage({ type: 'frame' }, frame),
    ]),
  )
}

const node = (id: string, type: string, children: string[], meta: LayoutNode['meta'] = {}): LayoutNode => ({
  id,
  type,
  children,
  parents: [],
  meta,
})
const buildLayout = (...nodes: LayoutNode[]): PictureLayout => ({
  nodes: Object.fromEntries(nodes.map((each) => [each.id, each])),
  tabs: null,
  filters: [],
  images: {},
})
const base: Omit<Picture, 'page' | 'charts' | 'format'> = {
  theme: 'light',
  themeVariables: {},
  locale: 'en',
  messages: {},
  timeZone: 'Europe/Berlin',
  title: 'Takings & <tips>',
  at: Date.UTC(2026, 10, 23, 6),
  fonts: null,
  metadata: {},
  isAnalogous: false,
}
const text = async (asked: Partial<Picture> & Pick<Picture, 'page'>, messages: Uint8Array = Buffer.of()) =>
  Buffer.from(await drawPicture({ ...base, format: 'svg', charts: [], ...asked }, messages)).toString()

/** Returns the drawing operators of a PDF. */
const operatorsIn = (pdf: Uint8Array): string =>
  [
    ...Buffer.from(pdf)
      .toString('latin1')
      .matchAll(/\/FlateDecode\s*>>\s*stream\r?\n([\s\S]*?)\nendstream/g),
  ]
    .map(([, stream = '']) => inflateSync(Buffer.from(stream, 'latin1')).toString('latin1'))
    .join('\n')
const pagesIn = (pdf: Uint8Array): number =>
  Buffer.from(pdf)
    .toString('latin1')
    .match(/\/Type \/Page\b/g)?.length ?? 0

describe('a chart', () => {
  it.each(charts.map(({ chart, messages }) => [chart.title, chart, messages] as const))(
    'is drawn in all formats: %s',
    async (_, chart, answer) => {
      const own = Buffer.from(answer)
      const asked = { ...base, charts: [chart], page: { width: 640, height: 400 } }
      const pdf = await drawPicture({ ...asked, format: 'pdf' }, own)
      expect(pagesIn(pdf)).toBe(1)
      expect(Buffer.from(pdf).toString('latin1')).toContain('MediaBox [0 0 480 300]')
      // text is text, not outlines
      expect(operatorsIn(pdf)).toMatch(/\bTJ\b/)
      const png = Buffer.from(await drawPicture({ ...asked, format: 'png' }, own))
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1280, 800])
      expect(await text({ charts: [chart], page: asked.page }, own)).toContain('role="img"')
    },
  )

  it('shows the error of a failed chart, and a message for a chart without a result', async () => {
    const [{ chart }] = charts as [(typeof charts)[0]]
    const page = { width: 640, height: 400 }
    const error = encodeMessage({
      type: 'error',
      chart: chart.id,
      error: { code: 'query_failed', message: 'No such <table>' },
    })
    expect(await text({ charts: [chart], page }, error)).toContain('No such &lt;table&gt;')
    expect(await text({ charts: [chart], page })).toContain('Could not load the data for this chart.')
    const unknown = { ...chart, viz_type: 'acme_gantt', form: { viz_type: 'acme_gantt' } }
    const [{ messages }] = charts as [(typeof charts)[0]]
    expect(await text({ charts: [unknown], page }, messages)).toContain('(acme_gantt) cannot be shown here')
  })

  it('PERM-038: slices beyond the colors of the scheme have analogous colors with the flag, as on the page', async () => {
    const names = Array.from({ length: 14 }, (_, index) => `slice ${index}`)
    const form = { viz_type: 'pie', groupby: ['name'], metric: 'n', color_scheme: 'parquetry', row_limit: 100 }
    const slices = buildFrame({ name: names, n: names.map((_, index) => 20 - index) })
    const chart = { id: 1, viz_type: 'pie', form, title: 'Pie', dataset: {} }
    const draw = (isAnalogous: boolean) =>
      text({ charts: [chart], page: { width: 640, height: 400 }, isAnalogous }, framesIn(1, { slices }))
    const [repeated, analogous] = await Promise.all([draw(false), draw(true)])
    const colorOf = colorScale('parquetry', {}, { isAnalogous: true })(names)
    for (const name of names) expect(analogous).toContain(`fill="${colorOf(name)}"`)
    expect(names.every((name) => repeated.includes(`fill="${colorOf(name)}"`))).toBe(false)
  })

  it('rejects a PNG that is too large, but draws it as SVG', async () => {
    const page = { width: 9000, height: 9000 }
    await expect(text({ format: 'png', page })).rejects.toMatchObject({ code: 'result_too_large' })
    expect(await text({ page })).toContain('width="9000"')
  })
})

describe('a dashboard', () => {
  const all = charts.slice(0, 6)
  const messages = Buffer.concat(all.map((each) => Buffer.from(each.messages)))
  const tile = (index: number, width: number) =>
    node(`C${index}`, 'CHART', [], { width, height: 50, chartId: all[index]!.chart.id })
  const placed = [
    node('ROOT_ID', 'ROOT', ['TABS']),
    node('TABS', 'TABS', ['TAB-a', 'TAB-b']),
    node('TAB-a', 'TAB', ['R1', 'H'], { text: 'Sales' }),
    node('TAB-b', 'TAB', ['R2'], { text: 'Costs' }),
    node('R1', 'ROW', ['C0', 'C1', 'M']),
    node('R2', 'ROW', ['C2', 'C3', 'C4']),
    node('H', 'HEADER', [], { text: 'More of it' }),
    node('M', 'MARKDOWN', [], {
      width: 4,
      height: 10,
      code: `# Notes\n\n${'A long story. '.repeat(80)}\n\n- **the end**`,
    }),
    ...[0, 1, 2, 3, 4].map((index) => tile(index, 4)),
  ]
  const asked = { charts: all.map(({ chart }) => chart) }

  it("shows title, time in the reader's zone, filters, all tabs in sequence, uncut texts, and charts without a place in the layout", async () => {
    const filters = [{ name: 'Region', value: 'West, ∅' }]
    const svg = await text({ ...asked, page: { ...buildLayout(...placed), filters } }, messages)
    for (const said of [
      'Takings &amp; &lt;tips&gt;',
      'As of Nov 23, 2026, 7:00',
      'Region: West, ∅',
      'More of it',
      'Notes',
    ])
      expect(svg).toContain(said)
    expect(svg.indexOf('>Sales<')).toBeLessThan(svg.indexOf('>Costs<'))
    expect(svg.match(/>story\.</g)).toHaveLength(80)
    expect(svg).toContain('>end<')
    for (const { chart } of all)
      expect(svg).toContain(
        `font-weight="600" fill="#211d1a" text-anchor="start" style="font-variant-numeric:tabular-nums">${chart.title}<`,
      )
  })

  it('lays out tables, strikethrough and tasks of texts as the page does', async () => {
    const code = '| City | Rain |\n|---|--:|\n| Oslo | 12 |\n\n- [x] ~~done~~\n- [ ] open'
    const page = buildLayout(
      node('ROOT_ID', 'ROOT', ['GRID_ID']),
      node('GRID_ID', 'GRID', ['M']),
      node('M', 'MARKDOWN', [], { code }),
    )
    const svg = await text({ page })
    const places = new Map(
      [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*font-weight="(\d+)"[^>]*>([^<]+)</g)].map(
        ([, x, y, weight, said = '']) => [said, { x: Number(x), y: Number(y), weight }],
      ),
    )
    const [city, rain, oslo, twelve] = ['City', 'Rain', 'Oslo', '12'].map((said) => places.get(said)!)
    expect([city!.weight, oslo!.weight]).toEqual(['600', '400'])
    expect(city!.y).toBe(rain!.y)
    expect(oslo!.y).toBe(twelve!.y)
    expect(oslo!.x).toBe(city!.x)
    expect(twelve!.x, 'aligned at the right').toBeGreaterThan(rain!.x)
    expect(places.get('✓')!.y).toBe(places.get('done')!.y)
    expect(places.get('□')!.y).toBe(places.get('open')!.y)
    const line = /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="1" fill="#211d1a"/.exec(svg)
    expect(Number(line?.[1])).toBe(places.get('done')!.x)
  })

  it('regression: says so when characters are boxes, because no font has them', async () => {
    const heightOf = async (title: string): Promise<number> => {
      const page = buildLayout(node('ROOT_ID', 'ROOT', []))
      const png = await drawPicture({ ...base, title, format: 'png', charts: [], page }, Buffer.of())
      return Buffer.from(png).readUInt32BE(20)
    }
    expect(await heightOf('Sales \u{10FFFD}')).toBe((await heightOf('Sales é \u{FE0F}')) + 48)
    expect(new Fonts(null).splitRuns('a\u{FE0F}b', 400).map(({ text: part }) => part)).toEqual(['ab'])
    expect(new Fonts(null).splitRuns('كلمة أخرى', 400), 'the order of words is that of one run').toHaveLength(1)
  })

  it('shows the requested tabs', async () => {
    const svg = await text({ ...asked, page: { ...buildLayout(...placed), tabs: ['TAB-b'] } }, messages)
    expect(svg).not.toContain('>Sales<')
    expect(svg).toContain('>Costs<')
  })

  it('uses unique names for the clip paths of each chart', async () => {
    const svg = await text({ ...asked, page: buildLayout(...placed) }, messages)
    const ids = [...svg.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, id] of svg.matchAll(/url\(#([^)]+)\)/g)) expect(ids).toContain(id)
  })

  it('is a PDF of numbered pages on which no row is split', async () => {
    const rows = [0, 1, 2, 3, 4].flatMap((index) => [node(`R${index}`, 'ROW', [`C${index}`]), tile(index, 12)])
    const page = buildLayout(
      node('ROOT_ID', 'ROOT', ['GRID_ID']),
      node('GRID_ID', 'GRID', ['R0', 'R1', 'R2', 'R3', 'R4']),
      ...rows,
    )
    const pdf = await drawPicture(
      { ...base, ...asked, charts: asked.charts.slice(0, 5), format: 'pdf', page },
      messages,
    )
    // one below the header, two on each of the other pages
    expect(pagesIn(pdf)).toBe(3)
    expect(Buffer.from(pdf).toString('latin1')).toContain('/Lang (en)')
  })

  describe('images in texts', () => {
    const hash = (letter: string) => letter.repeat(64)
    const address = (letter: string) => `/api/v1/dashboard/7/files/${hash(letter)}`
    const red = Buffer.from(
      new Resvg(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#f00"/></svg>',
      )
        .render()
        .asPng(),
    ).toString('base64')
    const blue = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><rect width="2" height="1" fill="#00f"/></svg>',
    ).toString('base64')
    const images: PictureLayout['images'] = {
      [hash('a')]: { media_type: 'image/png', base64: red, width: 40, height: 20 },
      [hash('b')]: { media_type: 'image/svg+xml', base64: blue, width: 2, height: 1 },
    }
    const pageOf = (code: string): PictureLayout => ({
      ...buildLayout(
        node('ROOT_ID', 'ROOT', ['GRID_ID']),
        node('GRID_ID', 'GRID', ['M']),
        node('M', 'MARKDOWN', [], { code }),
      ),
      images,
    })
    const code = `Words ![Red](${address('a')}#400x200) <img src="${address('b')}" width="100">\n\n![Gone](${address('c')})`

    it('have their own size, and missing ones are replaced by their alternative text', async () => {
      const svg = await text({ page: pageOf(code) })
      const sizes = [...svg.matchAll(/<image [^>]*width="([\d.]+)" height="([\d.]+)"/g)].map(([, w, h]) => [w, h])
      expect(sizes).toEqual([
        ['400', '200'],
        ['100', '50'],
      ])
      expect(svg).toContain('>[Gone]<')
      const wide = await text({ page: pageOf(`![Red](${address('a')}#9000x4500)`) })
      expect(Number(/<image [^>]*width="([\d.]+)"/.exec(wide)?.[1])).toBeLessThanOrEqual(1200)
    })

    it('are pixels in a PNG and images in a PDF', async () => {
      const asked = { ...base, charts: [], page: pageOf(code) }
      const png = Buffer.from(await drawPicture({ ...asked, format: 'png' }, Buffer.of())).toString('base64')
      const found = new Set<string>()
      const { pixels } = new Resvg(
        `<svg xmlns="http://www.w3.org/2000/svg" width="1264" height="800"><image width="1264" height="800" href="data:image/png;base64,${png}"/></svg>`,
      ).render()
      for (let index = 0; index < pixels.length; index += 4)
        found.add(pixels.subarray(index, index + 3).toString('hex'))
      expect(found).toContain('ff0000')
      expect(found).toContain('0000ff')
      const pdf = Buffer.from(await drawPicture({ ...asked, format: 'pdf' }, Buffer.of())).toString('latin1')
      expect(pdf.match(/\/Subtype \/Image/g)?.length).toBeGreaterThanOrEqual(2)
    })

    it('hostile: limits the total size of repeated images and skips a broken one', async () => {
      const large = { media_type: 'image/png' as const, base64: 'A'.repeat(8 << 20), width: 4, height: 4 }
      const page = { ...pageOf(`![x](${address('d')}) `.repeat(1000)), images: { [hash('d')]: large } }
      expect((await text({ page })).match(/<image /g)).toHaveLength(4)
      const broken = { media_type: 'image/jpeg' as const, base64: 'AAAA', width: 4, height: 4 }
      const one = { ...pageOf(`![x](${address('d')})`), images: { [hash('d')]: broken } }
      for (const format of ['png', 'pdf'] as const)
        expect((await drawPicture({ ...base, charts: [], format, page: one }, Buffer.of())).length).toBeGreaterThan(0)
    })
  })

  it('is still a page without content, and does not turn hostile titles or texts into markup', async () => {
    const hostile = '</text><script>alert(1)</script><image href="http://x.invalid/y.png"/>'
    const page = buildLayout(
      node('ROOT_ID', 'ROOT', ['GRID_ID']),
      node('GRID_ID', 'GRID', ['M']),
      node('M', 'MARKDOWN', [], { code: `${hostile}\n\n![x](http://x.invalid/z.png)` }),
    )
    const svg = await text({ title: hostile, page })
    expect(svg).not.toMatch(/<(script|image|a)\b/)
    expect(
      pagesIn(
        await drawPicture(
          { ...base, charts: [], format: 'pdf', page: buildLayout(node('ROOT_ID', 'ROOT', [])) },
          Buffer.of(),
        ),
      ),
    ).toBe(1)
  })
})
