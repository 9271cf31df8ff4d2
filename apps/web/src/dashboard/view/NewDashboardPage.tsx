import { useState } from 'react'
import { openDashboard } from '../data/open-dashboard.ts'
import { createNewDashboard } from '../document/new-dashboard.ts'
import { readDashboardSearch } from '../pages.ts'
import { Dashboard } from './Dashboard.tsx'

const search = readDashboardSearch({})

/** `/dashboard/new/`: edits an untitled dashboard, which is stored with the first save. */
export function NewDashboardPage() {
  const [opened] = useState(() =>
    openDashboard(
      { dashboard: createNewDashboard(), datasets: [] },
      { anchor: undefined, missingFilters: null, labelSlots: {}, isEditing: true },
    ),
  )
  return <Dashboard opened={opened} search={search} hash="" />
}
