import { errorCodes } from '@parquetry/model'
import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it, onTestFinished, vi } from 'vitest'
import { page } from 'vitest/browser'
import { boot } from './boot.ts'
import { ChartFrame, type ChartFacts } from './ChartFrame.tsx'

const state = { phase: 'ready', error: null, since: null } as const
const some: ChartFacts = { rowcount: 9, readRows: 9, rowLimit: 100, isRanking: false, truncated: false, cachedAt: null }

/** Distance in pixels between the bottom of the chart and the bottom of its tile. */
async function bandUnder(facts: Partial<ChartFacts>, showFacts = false): Promise<number> {
  await show(
    <div style={{ width: 400, height: 300 }}>
      <ChartFrame title="Sales" state={state} hasPicture facts={{ ...some, ...facts }} showFacts={showFacts}>
        <div data-testid="picture" style={{ height: '100%' }} />
      </ChartFrame>
    </div>,
  )
  const foot = (found: ReturnType<typeof page.getByRole>) => found.element().getBoundingClientRect().bottom
  return foot(page.getByRole('figure')) - foot(page.getByTestId('picture'))
}
const line = 20

it('regression: a chart without a row notice fills the whole tile', async () => {
  expect(await bandUnder({})).toBeLessThan(line)
})

it('shows the age of the data beside the title without moving the layout', async () => {
  expect(await bandUnder({ cachedAt: Date.now() - 4 * 60_000 })).toBeLessThan(line)
  await expect.element(page.getByRole('figure').getByText('cached 4 minutes ago')).toBeVisible()
})

it('ERR-003: the operator’s own sentence for an error type stands above the original message', async () => {
  boot.common.conf['ERROR_MESSAGES'] = { [errorCodes.query_failed.type]: 'Ask the data team: extension 123.' }
  onTestFinished(() => void delete boot.common.conf['ERROR_MESSAGES'])
  const error = { code: 'query_failed', message: 'Catalog Error: no table x', details: {} } as const
  await show(<ChartFrame title="Sales" state={{ phase: 'failed', error, since: null }} hasPicture={false} />)
  const panel = page.getByRole('figure').getByRole('alert')
  await expect.element(panel).toBeVisible()
  expect(panel.element().textContent).toMatch(/extension 123.*no table x/)
})

it('NATF-024: a chart that filters others says so, also in a small tile, and stops on request', async () => {
  const clear = vi.fn()
  await show(
    <div style={{ width: 200, height: 200 }}>
      <ChartFrame title="Sales" state={state} hasPicture facts={some} onClearCrossFilter={clear} />
    </div>,
  )
  await page.getByRole('button', { name: 'Clear cross-filter of Sales' }).click()
  expect(clear).toHaveBeenCalledOnce()
})

it('shortens the age in a small tile so that the title fits', async () => {
  await show(
    <div style={{ width: 250, height: 120 }}>
      <ChartFrame
        title="Late by over 15 minutes"
        state={state}
        hasPicture
        facts={{ ...some, cachedAt: Date.now() - 4 * 60_000 }}
        menu={[{ label: 'Refresh', onSelect: () => undefined }]}
      />
    </div>,
  )
  await expect.element(page.getByText('cached 4 minutes ago')).not.toBeVisible()
  await expect.element(page.getByText('4 min. ago')).toBeVisible()
  expect(page.getByRole('heading').element().clientWidth).toBeGreaterThan(125)
})

it('offers Stop for a slow query beside the title, where it covers no data', async () => {
  await show(
    <div style={{ width: 240, height: 200 }}>
      <ChartFrame title="Sales" state={{ phase: 'loading', error: null, since: 0 }} hasPicture onStop={() => undefined}>
        <div data-testid="picture" style={{ height: '100%' }} />
      </ChartFrame>
    </div>,
  )
  const foot = page.getByRole('button', { name: 'Stop' }).element().getBoundingClientRect().bottom
  expect(foot).toBeLessThanOrEqual(page.getByTestId('picture').element().getBoundingClientRect().top)
})

it.each([
  ['Top 100', { rowcount: 100, isRanking: true }, false],
  ['100 rows (Limit reached)', { rowcount: 100 }, false],
  ['Computed from 100 rows (Limit reached)', { rowcount: 5, readRows: 100, isRanking: true }, false],
  ['Computed from 50 rows (Limit reached)', { rowcount: 5, readRows: 50, rowLimit: null, truncated: true }, false],
  ['5 rows', { rowcount: 5, readRows: 50, rowLimit: null }, true],
  ['9 rows', {}, true],
])('shows “%s” below the chart', async (words, facts, isAsked) => {
  expect(await bandUnder(facts, isAsked)).toBeGreaterThanOrEqual(line)
  await expect.element(page.getByText(words)).toBeVisible()
})

it('regression: settings that cannot be drawn are not reported as an unexpected error, and the panel explains what to do', async () => {
  const refused = { code: 'invalid_post_processing', message: 'A forecast needs a time grain.', details: {} } as const
  await show(<ChartFrame title="Sales" state={{ phase: 'failed', error: refused, since: null }} hasPicture={false} />)
  const alert = page.getByRole('alert')
  await expect.element(alert.getByRole('heading')).toHaveTextContent('Could not draw the chart with these settings')
  await expect.element(alert.getByText(refused.message)).toBeVisible()
  await expect.element(alert.getByText('Edit the chart settings, then update the chart.')).toBeVisible()
})

it("CHART-009: a query refused by the database shows the full engine message below the product's own message", async () => {
  const refused = { code: 'query_failed', message: 'Binder Error: no such column\nLINE 1', details: {} } as const
  await show(<ChartFrame title="Sales" state={{ phase: 'failed', error: refused, since: null }} hasPicture={false} />)
  await expect.element(page.getByText(errorCodes.query_failed.message)).toBeVisible()
  expect(page.getByText('Binder Error', { exact: false }).element().textContent).toBe(refused.message)
})

it('shows users who may not read the database message the kind of failure once, and what to do', async () => {
  const refused = { code: 'query_failed', message: `Error: ${errorCodes.query_failed.message}`, details: {} } as const
  await show(<ChartFrame title="Sales" state={{ phase: 'failed', error: refused, since: null }} hasPicture={false} />)
  const said = page.getByText(errorCodes.query_failed.message)
  await expect.element(said).toBeVisible()
  expect(said.elements()).toHaveLength(1)
  await expect.element(page.getByText('ask the chart owner', { exact: false })).toBeVisible()
})

it('CHART-006: a stopped query is reported as stopped and can be run again', async () => {
  const onRetry = vi.fn<() => void>()
  const stopped = { phase: 'stopped', error: null, since: null } as const
  await show(<ChartFrame title="Sales" state={stopped} hasPicture={false} onRetry={onRetry} />)
  await expect.element(page.getByText('Updating chart was stopped', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Run again' }).click()
  expect(onRetry).toHaveBeenCalledOnce()
})
