import { Button, Dialog, EmptyState, useText } from '@parquetry/ui'
import { FilterForm } from './FilterForm.tsx'
import { FilterList } from './FilterList.tsx'
import { useFilterConfig } from './use-filter-config.ts'
import styles from './FilterConfig.module.css'

/** Filters of a dashboard: add, edit, order, remove; saved at once, apart from the layout (NATF-004 to NATF-016). */
export function FilterConfig({ onClose }: { onClose(): void }) {
  const t = useText()
  const config = useFilterConfig(onClose)
  const { kept, current, refusal, forgetRefusal } = config
  const selected = kept.find(({ id }) => id === current)
  return (
    <Dialog
      open
      width={960}
      title={t('dashboard.filterConfig', 'Filters')}
      dirty={config.isDirty}
      onClose={onClose}
      onSubmit={config.submit}
      bodyClass={styles.body}
      footer={
        <>
          <Button onClick={onClose}>{t('dashboard.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={config.isSaving}>
            {t('dashboard.save', 'Save')}
          </Button>
        </>
      }
    >
      <FilterList config={config} />
      <div className={styles.form}>
        {selected ? (
          <FilterForm
            key={selected.id}
            filter={selected}
            others={kept.filter(({ id }) => id !== selected.id)}
            lost={config.lostOf(selected)}
            onChange={config.change}
            showFaults={config.wasTried}
          />
        ) : (
          <EmptyState inline level={3} title={t('dashboard.noFilter', 'No filter chosen')}>
            {t('dashboard.noFilterText', 'Add one, or choose one from the list.')}
          </EmptyState>
        )}
      </div>
      {refusal !== null && (
        <Dialog
          open
          role="alertdialog"
          title={t('dashboard.notRemoved', 'This filter cannot be removed')}
          onClose={forgetRefusal}
          footer={
            <Button variant="primary" onClick={forgetRefusal}>
              {t('dashboard.close', 'Close')}
            </Button>
          }
        >
          {refusal}
        </Dialog>
      )}
    </Dialog>
  )
}
