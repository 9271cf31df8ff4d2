import type { Notification } from '@parquetry/model'
import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { Notifications } from './Notifications.tsx'

const notification = (uuid: string, kind: string, parameters: object, is_read = false): Notification => ({
  uuid,
  kind,
  parameters: { name: 'Sales', type: 'Report', ...parameters },
  path: '/report/1/log/',
  created_on: '2026-11-23T07:00:00.000',
  is_read,
})
const markRead = vi.fn(() => Promise.resolve())
const open = (result: Notification[]) =>
  show(
    <Notifications
      list={{ data: { unread: result.filter(({ is_read }) => !is_read).length, result } } as never}
      unread={result.filter(({ is_read }) => !is_read).length}
      markRead={markRead}
      onClose={() => {}}
    />,
  )

it('says what happened to a report and leads to its log', async () => {
  await open([
    notification('1', 'report_failed', { failures: 3, reason: 'The mail server did not answer.' }),
    notification('2', 'report_may_have_been_sent', { recipients: ['ana@example.com', 'bo@example.com'] }, true),
    notification('3', 'report_stopped', {}, true),
    notification('4', 'of_a_newer_server', {}, true),
  ])
  const links = page.getByRole('link')
  await expect.element(links.first()).toHaveAttribute('href', '/report/1/log/')
  expect(links.elements().map(({ textContent }) => textContent)).toEqual([
    '“Sales” failed 3 times in a row: The mail server did not answer.',
    '“Sales” may not have reached ana@example.com and bo@example.com. Check it, and send it again from the log if needed.',
    expect.stringMatching(/^“Sales” was paused/),
  ])
  expect(page.getByText('Unread', { exact: true }).elements()).toHaveLength(1)
})

it('marks all as read, and offers that only when something is unread', async () => {
  const shown = await open([notification('1', 'report_stopped', {})])
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  expect(markRead).toHaveBeenCalledOnce()
  await shown.unmount()
  await open([])
  await expect.element(page.getByText('No notifications')).toBeVisible()
  expect(page.getByRole('button', { name: 'Mark all as read' }).elements()).toEqual([])
})
