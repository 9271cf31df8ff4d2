import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { dashboardTools } from './dashboard-tools.ts'

/** Example charts that most edited dashboards have. */
export const penguinCharts = ['Penguins', 'Penguins by species', 'Penguins by island']

/** Two of them, for tests to which a third chart adds nothing. */
export const penguinPair = penguinCharts.slice(0, 2)

/** URL of one dashboard in the API. */
export const dashboardApiUrl = /api\/v1\/dashboard\/\d+$/

/** The message after a dashboard was saved. */
export const savedMessage = 'This dashboard was saved successfully.'

/** Steps that journeys over edited dashboards share. */
export function editTools(page: Page, at: ReturnType<typeof dashboardTools>) {
  return {
    /** Opens a dashboard for editing. */
    async edit(id: number, on = page): Promise<void> {
      await at.open(id, '?edit=true', on)
      await at.button('Save', on).waitFor()
    },

    async save(on = page): Promise<void> {
      await at.button('Save', on).click()
      await at.waitForText(savedMessage, on)
    },

    async removeTile(name: string, on = page): Promise<void> {
      await at.button(`More actions for ${name}`, on).click()
      await on.locator('[role^="menuitem"]', { hasText: 'Remove' }).first().click()
      await expect.poll(() => at.tile(name, on).count()).toBe(0)
    },
  }
}
