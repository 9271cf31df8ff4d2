import { CompletionContext } from '@codemirror/autocomplete'
import { sql } from '@codemirror/lang-sql'
import { EditorState } from '@codemirror/state'
import { launchBrowser, openSignedInPage } from '../../apps/web/journeys/browser.ts'
import { completeSql, type CompletionData } from '../../apps/web/src/sqllab/editor/completion.ts'
import { dialectOf } from '../../apps/web/src/sqllab/editor/dialects.ts'
import { parseSegments, statementAt } from '../../apps/web/src/sqllab/editor/statements.ts'
import type { Workload } from './bench.ts'
import { median } from './measure.ts'

const tables = Array.from({ length: 10_000 }, (_, index) => ({ name: `table_number_${index}`, columns: undefined }))

/** Milliseconds of one completion, with the syntax tree and the names of the schema loaded. */
function completionMs(typed: string): number {
  const dialect = dialectOf('duckdb')
  const doc = `select * from ${typed}`
  const state = EditorState.create({ doc, extensions: sql({ dialect: dialect.language }) })
  const known: CompletionData = {
    dialect,
    schemas: ['main'],
    tables,
    tablesOf: () => undefined,
    want: () => {},
    isComplete: true,
    functions: [],
    past: [],
    statement: (cursor) => statementAt(parseSegments(state.doc.toString(), dialect.name), cursor),
  }
  const begun = performance.now()
  const found = completeSql(() => known)(new CompletionContext(state, doc.length, true))
  const ms = performance.now() - begun
  if (!found?.options.length) throw new Error(`nothing was offered for ${typed}`)
  return ms
}

/** Runs in the page: milliseconds between frames while the largest grid scrolls for three seconds. */
async function scrollFrames(): Promise<number[]> {
  const all = [...document.querySelectorAll<HTMLElement>('[role="grid"], [role="grid"] *, :has(> [role="grid"])')]
  const [scroller] = all.toSorted((a, b) => b.scrollHeight - b.clientHeight - (a.scrollHeight - a.clientHeight))
  if (!scroller || scroller.scrollHeight < 100_000) throw new Error('no long grid is on the page')
  const frames: number[] = []
  const begun = performance.now()
  let last = begun
  while (last - begun < 3000) {
    scroller.scrollTop += 400
    await new Promise((resolve) => requestAnimationFrame(resolve))
    const now = performance.now()
    frames.push(now - last)
    last = now
  }
  return frames
}

/** SQL Lab: completion among 10,000 tables, and scrolling through 50,000 rows of a result. */
export const editor: Workload = async ({ product, runs }) => {
  const times = Array.from({ length: runs + 1 }, (_, index) => completionMs(`tab_${index % 10}`)).slice(1)
  const browser = await launchBrowser()
  try {
    const page = await openSignedInPage(browser, product.url, { reducedMotion: 'no-preference' })
    await page.goto(`${product.url}/superset/sqllab/`)
    await page.locator('.cm-content').click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText('SELECT * FROM flights LIMIT 50000')
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Row limit' }).click()
    await page.getByRole('option', { name: '50,000', exact: true }).click()
    await page.getByRole('button', { name: /^Run/ }).first().click()
    await page.locator('[role="grid"][aria-rowcount="50001"]').waitFor()
    const frames = (await page.evaluate(scrollFrames)).toSorted((a, b) => a - b)
    return [
      { name: 'completion, 10,000 tables', unit: 'ms', value: median(times), runs, budget: 50 },
      { name: 'scroll of 50,000 rows: frame', unit: 'ms', value: median(frames), runs: frames.length, budget: 17 },
      {
        name: 'scroll of 50,000 rows: 95 of 100 frames',
        unit: 'ms',
        value: frames[Math.floor(frames.length * 0.95)] ?? 0,
        runs: frames.length,
      },
    ]
  } finally {
    await browser.close()
  }
}
