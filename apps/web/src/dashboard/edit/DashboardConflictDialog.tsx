import { Button, confirm, Dialog, Banner, useTranslate, type Translate } from '@parquetry/ui'
import { chartsBelow, readNativeFilters, rootId, type Difference } from '@parquetry/model'
import { userId } from '../../shared/rights.ts'
import type { LoadedDashboard } from '../data/calls.ts'
import { differenceTexts } from '../../shared/history/difference-texts.ts'
import { dashboardDifferences, mergeDashboards } from '../document/merge.ts'
import { dashboardSettingsOf } from '../document/settings.ts'
import { titleOf, type DashboardDocument } from '../document/read-dashboard.ts'
import { useDashboard } from '../state/context.ts'
import { clearDashboardDraft } from './drafts.ts'
import styles from './Edit.module.css'

interface DashboardConflictDialogProps {
  theirs: LoadedDashboard
  onClose(): void
  onOverwrite(): void
  /** Saves the current state, which is then the merged one. */
  onMerged(): void
  onSaveAs(): void
}

interface Part {
  name: string
  mine: string
  theirs: string
}

/** Compares both versions when another user saved during editing, and offers to merge, keep either one, or save a copy. */
export function DashboardConflictDialog({
  theirs,
  onClose,
  onOverwrite,
  onMerged,
  onSaveAs,
}: DashboardConflictDialogProps) {
  const t = useTranslate()
  const { store, data } = useDashboard()
  const { dashboard, saved, history } = store.getState()
  const mine: DashboardDocument = { ...dashboard, layout: { ...dashboard.layout, nodes: history.present } }
  const parts = compareParts(t, mine, theirs.dashboard)
  const { merged, collisions } = mergeDashboards(saved, mine, theirs.dashboard)
  /** Layouts written by other tools refer to charts by id only. */
  const named = (differences: readonly Difference[]): Difference[] =>
    differences.map((each) => {
      const id = each.chart
      const name =
        each.name ?? (id === undefined ? undefined : (data.chart(id) ?? theirs.dashboard.charts.get(id))?.slice_name)
      return name ? { ...each, name } : each
    })
  const isDifferent = parts.some((part) => part.mine !== part.theirs)

  const keepMine = async () => {
    if (isDifferent) {
      const yes = await confirm({
        title: t('dashboard.overwrite', 'Overwrite this dashboard?'),
        body: t('dashboard.confirmOverwrite', 'Please confirm the overwrite values.'),
        action: t('dashboard.overwriteAction', 'Overwrite'),
      })
      if (!yes) return
    }
    onClose()
    onOverwrite()
  }
  const takeTheirs = () => {
    const { actions } = store.getState()
    clearDashboardDraft(dashboard.result.id, userId)
    actions.load(theirs.dashboard)
    actions.setEditing(false)
    onClose()
  }
  const merge = () => {
    const { actions } = store.getState()
    actions.load(theirs.dashboard)
    actions.change(() => ({ nodes: merged.layout.nodes, settings: dashboardSettingsOf(merged) }))
    onClose()
    onMerged()
  }
  const who = theirs.dashboard.result.changed_by_name
  return (
    <Dialog
      open
      role="alertdialog"
      width={720}
      title={t('dashboard.conflict', 'This dashboard has changed')}
      description={
        who
          ? t('dashboard.conflictBy', '{who} saved it while you were editing.', { who })
          : t('dashboard.conflictSince', 'Another user saved it while you were editing.')
      }
      onClose={onClose}
      footer={
        <>
          <Button onClick={onSaveAs}>{t('dashboard.saveCopy', 'Save as copy')}</Button>
          <Button onClick={takeTheirs}>{t('dashboard.takeTheirs', 'Keep theirs')}</Button>
          <Button variant="danger" onClick={() => void keepMine()}>
            {t('dashboard.keepMine', 'Keep mine')}
          </Button>
          <Button variant="primary" onClick={merge}>
            {t('dashboard.merge', 'Merge and save')}
          </Button>
        </>
      }
    >
      <table className={styles.versions}>
        <thead>
          <tr>
            <th scope="col">{t('dashboard.part', 'Item')}</th>
            <th scope="col">{t('dashboard.yours', 'Mine')}</th>
            <th scope="col">{t('dashboard.theirs', 'Theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={part.name} data-different={part.mine !== part.theirs || undefined}>
              <th scope="row">{part.name}</th>
              <td>{part.mine}</td>
              <td>{part.theirs}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles.changes}>
        <Changes
          title={t('dashboard.youChanged', 'Your changes')}
          texts={differenceTexts(t, named(dashboardDifferences(saved, mine)))}
        />
        <Changes
          title={t('dashboard.theyChanged', 'Their changes')}
          texts={differenceTexts(t, named(dashboardDifferences(saved, theirs.dashboard)))}
        />
      </div>
      {collisions.length > 0 ? (
        <Banner inline tone="warning">
          {t(
            'dashboard.collide',
            'Conflicting changes: {what}. Merging keeps yours; theirs remain available in Versions.',
            {
              what: [...new Set(named(collisions).map((each) => differenceTexts(t, [each])[0] ?? ''))].join(', '),
            },
          )}
        </Banner>
      ) : (
        <p>{t('dashboard.noCollision', 'The changes don’t conflict. Merging keeps all of them.')}</p>
      )}
    </Dialog>
  )
}

function Changes({ title, texts }: { title: string; texts: readonly string[] }) {
  const t = useTranslate()
  return (
    <section>
      <h3>{title}</h3>
      {texts.length === 0 ? (
        <p>{t('dashboard.noChange', 'No changes')}</p>
      ) : (
        <ul>
          {texts.slice(0, maxTexts).map((text) => (
            <li key={text}>{text}</li>
          ))}
          {texts.length > maxTexts && (
            <li>
              {t('history.moreChanges', '{n, plural, one {# more change} other {# more changes}}', {
                n: texts.length - maxTexts,
              })}
            </li>
          )}
        </ul>
      )}
    </section>
  )
}

const maxTexts = 8

function compareParts(t: Translate, mine: DashboardDocument, theirs: DashboardDocument): Part[] {
  const layout = ({ layout: { nodes }, charts }: DashboardDocument) => {
    const names = chartsBelow(nodes, rootId).map((id) => charts.get(id)?.slice_name ?? String(id))
    return t('dashboard.chartNames', '{count, plural, one {# chart} other {# charts}}: {names}', {
      count: names.length,
      names: names.join(', '),
    })
  }
  const filters = (dashboard: DashboardDocument) =>
    readNativeFilters({ nodes: dashboard.layout.nodes, metadata: dashboard.metadata })
      .map(({ name, title }) => name ?? title ?? '')
      .join(', ') || t('dashboard.none', 'none')
  const published = ({ result }: DashboardDocument) =>
    result.published ? t('dashboard.published', 'Published') : t('dashboard.draft', 'Draft')
  return [
    { name: t('dashboard.title', 'Title'), mine: titleOf(mine), theirs: titleOf(theirs) },
    { name: t('dashboard.layout', 'Layout'), mine: layout(mine), theirs: layout(theirs) },
    { name: t('dashboard.filters', 'Filters'), mine: filters(mine), theirs: filters(theirs) },
    { name: t('dashboard.status', 'Status'), mine: published(mine), theirs: published(theirs) },
  ]
}
