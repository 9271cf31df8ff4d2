import { useTranslate } from '@parquetry/ui'
import { Suspense, useMemo, useState } from 'react'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { saveSchedule } from '../../shared/query-schedule/save-schedule.ts'
import { ListPage } from '../ListPage.tsx'
import { savedQueries } from '../pages.ts'
import { savedQueryList } from './saved-query-list.tsx'
import { usePreview } from './use-preview.ts'

const SavedQueryDrawer = lazyComponent(async () => (await import('./SavedQueryDrawer.tsx')).SavedQueryDrawer)
const ScheduleDialog = lazyComponent(
  async () => (await import('../../shared/query-schedule/ScheduleDialog.tsx')).ScheduleDialog,
)

export function SavedQueryListPage() {
  const t = useTranslate()
  const definition = useMemo(() => savedQueryList(t), [t])
  const preview = usePreview(savedQueries)
  const [scheduled, setScheduled] = useState<number | null>(null)
  return (
    <ListPage
      page={savedQueries}
      definition={definition}
      onOpen={(dialog, id) => (dialog === 'schedule' ? setScheduled(id) : preview.open(id))}
    >
      <Suspense>
        {preview.id !== null && <SavedQueryDrawer key={preview.id} id={preview.id} onClose={preview.close} />}
        {scheduled !== null && (
          <ScheduleDialog
            key={scheduled}
            savedQueryId={scheduled}
            onSave={(label, info) => saveSchedule(scheduled, info, { label })}
            onClose={() => setScheduled(null)}
          />
        )}
      </Suspense>
    </ListPage>
  )
}
