import { ApiError } from '@parquetry/client'
import { versionedKinds, trashDays, type VersionedKind, type TrashedObject } from '@parquetry/model'
import {
  Button,
  confirm,
  Dialog,
  EmptyState,
  ErrorPanel,
  Field,
  Icon,
  IconButton,
  Menu,
  PageHeader,
  Pager,
  userDisplayName,
  SegmentedControl,
  TextInput,
  toast,
  toastError,
  useNavigation,
  useTranslate,
  type IconName,
  type Translate,
} from '@parquetry/ui'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { formatNumber, formatTimestamp } from '../../shared/formats.ts'
import { messageOf } from '../../shared/errors.ts'
import { purgeTrashed, restoreTrashed } from '../../shared/history/calls.ts'
import { usePage } from '../../shared/page.ts'
import { useNow } from '../../shared/use-now.ts'
import { useDebounced } from '../../shared/use-debounced.ts'
import { useTitle } from '../../shared/use-title.ts'
import { ListSkeleton } from '../ListSkeleton.tsx'
import { trash } from '../pages.ts'
import lists from '../lists.module.css'
import styles from '../object-rows.module.css'

const pageSize = 50
const icons: Record<VersionedKind, IconName> = { dashboard: 'dashboard', chart: 'chart', dataset: 'dataset' }

const kindLabels = (t: Translate): Record<VersionedKind, string> => ({
  dashboard: t('trash.dashboards', 'Dashboards'),
  chart: t('trash.charts', 'Charts'),
  dataset: t('trash.datasets', 'Datasets'),
})

const isKind = (text: string | undefined): text is VersionedKind => versionedKinds.some((kind) => kind === text)
const parseUtc = (at: string): Date => new Date(`${at}Z`)
const dayMs = 86_400_000

/** Objects deleted in the last 30 days: the user's own, or all for administrators. */
export function TrashPage() {
  const t = useTranslate()
  const queries = useQueryClient()
  const { search, setSearch } = usePage(trash)
  const text = search['q'] ?? ''
  const debounced = useDebounced(text, 250)
  const kind = isKind(search['kind']) ? search['kind'] : undefined
  const page = /^\d{1,5}$/.test(search['page'] ?? '') ? Number(search['page']) : 0
  const [naming, setNaming] = useState<Naming | null>(null)
  const title = t('trash.title', 'Trash')
  useTitle([title])
  const { data, error, refetch } = useQuery({
    queryKey: ['trash', debounced, kind, page],
    queryFn: ({ signal }) =>
      api.get('/api/v1/trash/', {
        query: { page, ...(kind && { kind }), ...(debounced && { search: debounced }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
  const renew = async (trashKind: VersionedKind) => {
    await queries.invalidateQueries({ queryKey: ['trash'] })
    await queries.invalidateQueries({ queryKey: [trashKind] })
  }
  const actions = useTrashActions(renew, setNaming)
  return (
    <div className={lists.page}>
      <PageHeader title={title} marks={data && <span className={lists.count}>{formatNumber(data.count)}</span>} />
      <div className={lists.content}>
        <p className={lists.note}>
          {t('trash.note', 'Deleted items stay here for {days, number} days, then they are deleted permanently.', {
            days: trashDays,
          })}
        </p>
        <div className={lists.toolbar}>
          <div className={lists.search}>
            <TextInput
              aria-label={t('trash.search', 'Search trash')}
              placeholder={t('trash.search', 'Search trash')}
              value={text}
              onChange={(q) => setSearch({ q, page: null }, { replace: true })}
            />
          </div>
          <SegmentedControl
            label={t('trash.kind', 'Type')}
            value={kind ?? 'all'}
            onChange={(value) => setSearch({ kind: value === 'all' ? null : value, page: null })}
            options={[
              { value: 'all', label: t('trash.all', 'All') },
              ...versionedKinds.map((value) => ({ value, label: kindLabels(t)[value] })),
            ]}
          />
        </div>
        {error && !data ? (
          <ErrorPanel onRetry={() => void refetch()}>{messageOf(error)}</ErrorPanel>
        ) : !data ? (
          <ListSkeleton cards={false} columns={3} />
        ) : data.result.length === 0 ? (
          <EmptyTrash
            isFiltered={debounced !== '' || kind !== undefined}
            onClear={() => setSearch({ q: null, kind: null })}
          />
        ) : (
          <ul className={styles.list} aria-label={title}>
            {data.result.map((row) => (
              <TrashRow key={`${row.kind} ${row.id}`} row={row} {...actions} />
            ))}
          </ul>
        )}
        {data && data.count > pageSize && (
          <div className={lists.foot}>
            <Pager
              page={page}
              pageSize={pageSize}
              count={data.count}
              onPage={(next) => setSearch({ page: next || null })}
              onPageSize={() => {}}
            />
          </div>
        )}
      </div>
      {naming && <NameDialog naming={naming} onClose={() => setNaming(null)} onRestore={actions.restore} />}
    </div>
  )
}

function EmptyTrash({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  const t = useTranslate()
  return isFiltered ? (
    <EmptyState
      title={t('trash.noMatch', 'No matches')}
      actions={<Button onClick={onClear}>{t('trash.clear', 'Clear filters')}</Button>}
    />
  ) : (
    <EmptyState title={t('trash.empty', 'The trash is empty')}>
      {t('trash.emptyText', 'Deleted dashboards, charts and datasets that you own appear here.')}
    </EmptyState>
  )
}

/** A restore that needs a new name, because the old one is in use. */
interface Naming {
  row: TrashedObject
  field: 'slug' | 'table_name'
  message: string
}

interface TrashActions {
  restore(row: TrashedObject, names?: { slug?: string | null; table_name?: string }): Promise<void>
  purge(row: TrashedObject): Promise<void>
}

function useTrashActions(
  renew: (kind: VersionedKind) => Promise<void>,
  askForName: (naming: Naming | null) => void,
): TrashActions {
  const t = useTranslate()
  const { go } = useNavigation()
  return {
    restore: async (row, names) => {
      try {
        const { url } = await restoreTrashed(row.kind, row.id, names)
        askForName(null)
        toast(t('trash.restored', 'Restored: {name}', { name: row.name }), {
          action: { label: t('trash.open', 'Open'), run: () => go(url) },
        })
        await renew(row.kind)
      } catch (error) {
        const fields = error instanceof ApiError ? error.fields : {}
        for (const field of ['slug', 'table_name'] as const) {
          const message = fields[field]?.[0]
          if (message !== undefined) return askForName({ row, field, message })
        }
        toastError(
          t('trash.restoreFailed', 'Could not restore {name}: {message}', {
            name: row.name,
            message: messageOf(error),
          }),
        )
      }
    },
    purge: async (row) => {
      const yes = await confirm({
        title: t('trash.purgeTitle', 'Delete {name} permanently?', { name: row.name }),
        body: t('trash.purgeBody', 'You will not be able to restore it or its versions.'),
        action: t('trash.purge', 'Delete permanently'),
      })
      if (!yes) return
      try {
        await purgeTrashed(row.kind, row.id)
        toast(t('trash.purged', 'Permanently deleted: {name}', { name: row.name }))
        await renew(row.kind)
      } catch (error) {
        toastError(messageOf(error))
      }
    },
  }
}

function TrashRow({ row, restore, purge }: { row: TrashedObject } & TrashActions) {
  const t = useTranslate()
  const [isBusy, setBusy] = useState(false)
  const now = useNow()
  const name = row.name || t('app.untitled', '[ untitled dashboard ]')
  const days = Math.max(0, Math.ceil((parseUtc(row.purged_on).getTime() - now) / dayMs))
  return (
    <li className={styles.row}>
      <Icon name={icons[row.kind]} />
      <span className={styles.name}>
        <strong>{name}</strong>
        <span className={styles.facts}>
          {row.deleted_by
            ? t('trash.deletedBy', 'Deleted {at} by {who}', {
                at: formatTimestamp(parseUtc(row.deleted_on)),
                who: userDisplayName(row.deleted_by),
              })
            : t('trash.deleted', 'Deleted {at}', { at: formatTimestamp(parseUtc(row.deleted_on)) })}
          {' · '}
          {t('trash.left', '{days, plural, one {# day left} other {# days left}}', { days })}
        </span>
      </span>
      <Button
        busy={isBusy}
        aria-label={t('trash.restoreNamed', 'Restore {name}', { name })}
        onClick={() => {
          setBusy(true)
          void restore(row).finally(() => setBusy(false))
        }}
      >
        {t('trash.restore', 'Restore')}
      </Button>
      <Menu
        label={t('trash.more', 'More actions for {name}', { name })}
        align="end"
        items={[
          {
            label: t('trash.purge', 'Delete permanently'),
            icon: 'trash',
            danger: true,
            onSelect: () => void purge(row),
          },
        ]}
      >
        <IconButton icon="more" label={t('trash.more', 'More actions for {name}', { name })} />
      </Menu>
    </li>
  )
}

/** Prompts for another name if the old one is in use. */
function NameDialog({
  naming: { row, field, message },
  onClose,
  onRestore,
}: {
  naming: Naming
  onClose(): void
  onRestore: TrashActions['restore']
}) {
  const t = useTranslate()
  const [name, setName] = useState('')
  const isAddress = field === 'slug'
  return (
    <Dialog
      open
      width={480}
      title={t('trash.nameTitle', 'Restore {name}', { name: row.name })}
      description={
        isAddress
          ? t('trash.slugTaken', 'Another dashboard now uses its URL slug.')
          : t('trash.nameTaken', 'Another dataset now uses its name.')
      }
      dirty={name !== ''}
      onClose={onClose}
      onSubmit={() => void onRestore(row, isAddress ? { slug: name.trim() || null } : { table_name: name.trim() })}
      footer={
        <>
          <Button onClick={onClose}>{t('trash.cancel', 'Cancel')}</Button>
          <Button
            type="submit"
            variant="primary"
            disabledReason={!isAddress && !name.trim() ? t('trash.nameNeeded', 'Enter a name') : undefined}
          >
            {t('trash.restore', 'Restore')}
          </Button>
        </>
      }
    >
      <Field
        label={isAddress ? t('trash.slug', 'URL slug') : t('trash.name', 'Name')}
        help={isAddress ? t('trash.slugHelp', 'Leave empty to use only the ID in the URL.') : message}
      >
        <TextInput value={name} onChange={setName} data-autofocus />
      </Field>
    </Dialog>
  )
}
