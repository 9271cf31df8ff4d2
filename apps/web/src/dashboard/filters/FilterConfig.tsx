import { Button, Dialog, EmptyState, useTranslate } from '@parquetry/ui'
import { FilterForm } from './FilterForm.tsx'
import { FilterList } from './FilterList.tsx'
import { useFilterConfig } from './use-filter-config.ts'
import styles from './FilterConfig.module.css'

/**
 * Filter settings of a dashboard: add, edit, reorder, remove; saved immediately, separately from the layout (NATF-004 to
 * NATF-016).
 */
export function FilterConfig({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const config = useFilterConfig(onClose)
  const { remaining, current, refusal, forgetRefusal } = config
  const selected = remaining.find(({ id }) => id === current)
  return (
    <Dialog
      open
      width={960}
      title={t('dashboard.filterConfig', 'Add and edit filters')}
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
            others={remaining.filter(({ id }) => id !== selected.id)}
            lost={config.lostOf(selected)}
            onChange={config.change}
            showFaults={config.wasTried}
          />
        ) : (
          <EmptyState inline level={3} title={t('dashboard.noFilter', 'No filter selected')}>
            {t('dashboard.noFilterText', 'Add a filter, or choose one from the list.')}
          </EmptyState>
        )}
      </div>
      {refusal !== null && (
        <Dialog
          open
          role="alertdialog"
          title={t('dashboard.notRemoved', 'Can’t remove this filter')}
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
