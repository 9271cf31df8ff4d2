import { errorCodes } from '@parquetry/model'
import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ChartFrame, type ChartFacts } from './ChartFrame.tsx'

const state = { phase: 'ready', error: null, since: null } as const
const some: ChartFacts = { rowcount: 9, readRows: 9, rowLimit: 100, isRanking: false, truncated: false, cachedAt: null }

/** How far the picture ends above the foot of its tile. */
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

it('regression: a picture whose rows are no news has the whole tile', async () => {
  expect(await bandUnder({})).toBeLessThan(line)
})

it('how old they are stands beside the title and moves nothing', async () => {
  expect(await bandUnder({ cachedAt: Date.now() - 4 * 60_000 })).toBeLessThan(line)
  await expect.element(page.getByRole('figure').getByText('cached 4 min. ago')).toBeVisible()
})

it('in a small tile the age leaves the room to the title', async () => {
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
  await expect.element(page.getByText('cached')).not.toBeVisible()
  await expect.element(page.getByRole('time')).toBeVisible()
  expect(page.getByRole('heading').element().clientWidth).toBeGreaterThan(125)
})

it('what takes long can be stopped beside the title, where it covers no number', async () => {
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
])('“%s” stands under the picture', async (words, facts, isAsked) => {
  expect(await bandUnder(facts, isAsked)).toBeGreaterThanOrEqual(line)
  await expect.element(page.getByText(words)).toBeVisible()
})

it('regression: settings that ask for what there is none of are no unexpected error, and it says what to do', async () => {
  const refused = { code: 'invalid_post_processing', message: 'A forecast needs a time grain.', details: {} } as const
  await show(<ChartFrame title="Sales" state={{ phase: 'failed', error: refused, since: null }} hasPicture={false} />)
  const alert = page.getByRole('alert')
  await expect.element(alert.getByRole('heading')).toHaveTextContent('Could not draw the chart with these settings')
  await expect.element(alert.getByText(refused.message)).toBeVisible()
  await expect.element(alert.getByText('Edit the chart settings, then update the chart.')).toBeVisible()
})

it("CHART-009: a question that the database refused shows the engine's own words, whole and under ours", async () => {
  const refused = { code: 'query_failed', message: 'Binder Error: no such column\nLINE 1', details: {} } as const
  await show(<ChartFrame title="Sales" state={{ phase: 'failed', error: refused, since: null }} hasPicture={false} />)
  await expect.element(page.getByText(errorCodes.query_failed.message)).toBeVisible()
  expect(page.getByText('Binder Error', { exact: false }).element().textContent).toBe(refused.message)
})

it('who may not read what the database said reads which kind of failure it was, once, and what to do', async () => {
  const refused = { code: 'query_failed', message: `Error: ${errorCodes.query_failed.message}`, details: {} } as const
  await show(<ChartFrame title="Sales" state={{ phase: 'failed', error: refused, since: null }} hasPicture={false} />)
  const said = page.getByText(errorCodes.query_failed.message)
  await expect.element(said).toBeVisible()
  expect(said.elements()).toHaveLength(1)
  await expect.element(page.getByText('ask the chart owner', { exact: false })).toBeVisible()
})

it('CHART-006: a question that was stopped says so, and can run again', async () => {
  const onRetry = vi.fn<() => void>()
  const stopped = { phase: 'stopped', error: null, since: null } as const
  await show(<ChartFrame title="Sales" state={stopped} hasPicture={false} onRetry={onRetry} />)
  await expect.element(page.getByText('Updating chart was stopped', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Run again' }).click()
  expect(onRetry).toHaveBeenCalledOnce()
})
