import {
  resolveForm,
  buildSpecContext,
  loadStoredForm,
  englishTranslator,
  themes,
  type ChartForm,
} from '@parquetry/charts'
import { listKinds, loadFamilies } from '@parquetry/charts/resolve/families/load'
import { resolveSpec } from '@parquetry/charts/resolve/resolve-spec'
import { toRows, createMessageReader, type Frame } from '@parquetry/frame'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'

/** Content of a chart on the floor page: an ECharts option, or the rows of a table. */
interface Picture {
  option?: object
  rows?: unknown[]
}

/** Frames by chart and query name, from the bytes of a dashboard's stream. */
function decodeFrames(stream: Buffer): Map<number, Record<string, Frame>> {
  const charts = new Map<number, Record<string, Frame>>()
  let place: { chart: number; name: string } | undefined
  for (const { head, frame } of createMessageReader().push(stream)) {
    if (head.type === 'frame' && typeof head['chart'] === 'number')
      place = { chart: head['chart'], name: String(head['name']) }
    if (frame && place) charts.set(place.chart, { ...charts.get(place.chart), [place.name]: frame })
  }
  return charts
}

async function buildOption(form: ChartForm, frames: Record<string, Frame>): Promise<Picture> {
  const opened = await loadStoredForm(form)
  const [first] = Object.values(frames)
  if (!opened || !first) throw new Error(`nothing to draw of ${String(form['viz_type'])}`)
  const settled = resolveForm(opened.chart, opened.form)
  const spec = opened.chart.spec(frames, settled, buildSpecContext(settled, {}))
  if (!Array.isArray((spec as { series?: unknown }).series)) return { rows: toRows(first) }
  const around = {
    theme: themes.light,
    locale: 'en',
    timeZone: 'UTC',
    translate: englishTranslator,
    width: 360,
    height: 230,
  }
  const families = await loadFamilies(listKinds(spec))
  return { option: resolveSpec(spec, frames, { ...around, animate: false }, families).option }
}

export interface FloorPage {
  url: string
  close(): void
}

/**
 * Serves a bare page of the same twenty charts: one script (all of ECharts), one prepared response, no permissions, no layout, no
 * framework. `/?data=cold` and `paint('cold')` wait for the bare engine as well.
 * @param stream  the dashboard's own response, from which the charts are made
 * @param engine  runs the queries on the bare engine meanwhile
 */
export async function openFloorPage(
  stream: Buffer,
  charts: readonly { id: number; form: ChartForm }[],
  engine: () => Promise<unknown>,
): Promise<FloorPage> {
  const frames = decodeFrames(stream)
  const pictures = await Promise.all(charts.map(({ id, form }) => buildOption(form, frames.get(id) ?? {})))
  const data = gzipSync(JSON.stringify(pictures), { level: 1 })
  const require = createRequire(new URL('../../packages/charts/package.json', import.meta.url))
  const script = gzipSync(readFileSync(require.resolve('echarts/dist/echarts.min.js')))
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://floor')
    const send = (type: string, body: Buffer, age = 'no-store') =>
      response.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip', 'Cache-Control': age }).end(body)
    if (pathname === '/') send('text/html; charset=utf-8', gzipSync(page))
    else if (pathname === '/echarts.js') send('text/javascript', script, 'max-age=3600')
    else if (pathname === '/warm') send('application/json', data)
    else if (pathname === '/cold') void engine().then(() => send('application/json', data))
    else response.writeHead(204).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const page = `<!doctype html><meta charset="utf-8"><title>floor</title>
<style>body{margin:0;font:13px sans-serif}main{display:grid;grid-template-columns:repeat(4,1fr);gap:8px}main>div{height:230px;overflow:hidden}</style>
<main></main><script src="/echarts.js"></script><script>
const main = document.querySelector('main')
const places = []
async function paint(what) {
  const pictures = await (await fetch('/' + what)).json()
  pictures.forEach(({ option, rows }, at) => {
    const place = places[at] ??= { box: main.appendChild(document.createElement('div')) }
    if (option) (place.chart ??= echarts.init(place.box)).setOption(option, true)
    else place.box.innerHTML = '<table>' + rows.slice(0, 12).map((row) => '<tr>' + Object.values(row).map((cell) => '<td>' + cell + '</td>').join('') + '</tr>').join('') + '</table>'
  })
  window.painted = performance.now()
}
paint(new URL(location).searchParams.get('data') ?? 'warm')
</script>`
