import { writeLayout } from '@parquetry/model'
import {
  Button,
  Checkbox,
  Dialog,
  ErrorPanel,
  Field,
  TextInput,
  toast,
  useNavigation,
  useTranslate,
} from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { userId } from '../../shared/rights.ts'
import { messageOf } from '../../shared/errors.ts'
import { copyDashboard } from '../data/calls.ts'
import { titleOf } from '../document/read-dashboard.ts'
import { untitled } from '../document/save-body.ts'
import { useActions, useDashboard } from '../state/context.ts'
import { clearDashboardDraft } from './drafts.ts'
import { useImportImages } from './use-import-images.ts'
import styles from './Edit.module.css'

/** Saves the current state as a copy that shares the charts or copies them too (API-045). */
export function SaveAsDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const { store } = useDashboard()
  const { setEditing } = useActions()
  const { go } = useNavigation()
  const { dashboard, history } = store.getState()
  const keepImages = useImportImages()
  const [title, setTitle] = useState(() =>
    t('dashboard.copyName', '{title} (copy)', { title: titleOf(dashboard, history.present) }),
  )
  const [withCharts, setWithCharts] = useState(false)
  const copy = useMutation({
    mutationFn: async () => {
      const { sayWhatFailed } = await keepImages()
      const nodes = store.getState().history.present
      const copied = await copyDashboard(dashboard.result.id, {
        dashboard_title: title.trim() || untitled,
        css: dashboard.result.css ?? '',
        duplicate_slices: withCharts,
        json_metadata: JSON.stringify({
          ...dashboard.metadata,
          positions: writeLayout({ ...dashboard.layout, nodes }),
        }),
      })
      sayWhatFailed()
      return copied
    },
    onSuccess: ({ result }) => {
      clearDashboardDraft(dashboard.result.id, userId)
      setEditing(false)
      onClose()
      toast(t('dashboard.saved', 'This dashboard was saved successfully.'))
      go(`/superset/dashboard/${result.id}/`)
    },
  })
  return (
    <Dialog
      open
      title={t('dashboard.saveAs', 'Save as copy')}
      onClose={onClose}
      onSubmit={() => copy.mutate()}
      footer={
        <>
          <Button onClick={onClose}>{t('dashboard.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={copy.isPending}>
            {t('dashboard.saveAsAction', 'Save copy')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {copy.error && <ErrorPanel inline>{messageOf(copy.error)}</ErrorPanel>}
        <Field label={t('dashboard.title', 'Title')}>
          <TextInput value={title} onChange={setTitle} maxLength={500} data-autofocus />
        </Field>
        <Checkbox
          checked={withCharts}
          onChange={setWithCharts}
          label={t('dashboard.copyCharts', 'Also copy charts')}
          help={t('dashboard.copyChartsHelp', 'Otherwise, both dashboards show the same charts.')}
        />
      </div>
    </Dialog>
  )
}
