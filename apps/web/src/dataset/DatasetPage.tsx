import { ApiError } from '@parquetry/client'
import type { DatasetDetail } from '@parquetry/model'
import {
  Delayed,
  ButtonLink,
  CertifiedBadge,
  EmptyState,
  ErrorPanel,
  PageHeader,
  Skeleton,
  useTranslate,
} from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { EditorActions, EditorBody, editorTabs, type EditorTab } from '../shared/dataset-editor/EditorBody.tsx'
import { fetchDataset } from '../shared/dataset-editor/read-dataset.ts'
import { useDatasetEditor } from '../shared/dataset-editor/use-dataset-editor.ts'
import { messageOf } from '../shared/errors.ts'
import { usePage } from '../shared/page.ts'
import { RequestAccess } from '../shared/sharing/RequestAccess.tsx'
import { ShareAccess } from '../shared/sharing/ShareAccess.tsx'
import { useTitle } from '../shared/use-title.ts'
import { dataset } from './pages.ts'
import styles from './DatasetPage.module.css'

const listHref = '/tablemodelview/list/'

/** One dataset: its columns and metrics, its source, and its usage. */
export function DatasetPage() {
  const t = useTranslate()
  const { params } = usePage(dataset)
  const id = Number(params['id'])
  const isId = Number.isSafeInteger(id)
  const detail = useQuery({
    queryKey: ['dataset', id, 'detail'],
    queryFn: ({ signal }) => fetchDataset(id, signal),
    enabled: isId,
    gcTime: 0,
    // The draft is based on this response; saving refetches it.
    staleTime: Infinity,
    retry: false,
  })
  const title = t('dataset.title', 'Dataset')
  useTitle([detail.data ? undefined : title, t('lists.datasets.title', 'Datasets')])
  if (detail.data) return <Editor key={id} detail={detail.data} />
  const isMissing = !isId || (detail.error instanceof ApiError && detail.error.status === 404)
  return (
    <div className={styles.page}>
      <PageHeader title={title} crumbs={[{ label: t('lists.datasets.title', 'Datasets'), href: listHref }]} />
      <div className={styles.content}>
        {isMissing ? (
          <EmptyState
            title={t('dataset.missing', 'Dataset not found')}
            actions={
              <>
                {isId && <RequestAccess of={{ kind: 'dataset', id: String(id) }} />}
                <ButtonLink href={listHref}>{t('dataset.toList', 'All datasets')}</ButtonLink>
              </>
            }
          >
            {t('dataset.missingText', 'It was deleted, or you don’t have access to its data.')}
          </EmptyState>
        ) : detail.error ? (
          <ErrorPanel onRetry={() => void detail.refetch()}>{messageOf(detail.error)}</ErrorPanel>
        ) : (
          <Delayed>
            <div aria-busy="true">
              <Skeleton height={320} />
            </div>
          </Delayed>
        )}
      </div>
    </div>
  )
}

function Editor({ detail }: { detail: DatasetDetail }) {
  const t = useTranslate()
  const { search, setSearch } = usePage(dataset)
  const editing = useDatasetEditor(detail)
  const { now, base } = editing.draft
  const tab = editorTabs.find((each) => each === search.tab) ?? 'columns'
  useTitle([now.table_name, t('lists.datasets.title', 'Datasets')], editing.dirty ? '•' : undefined)
  useBlocker({
    disabled: !editing.dirty,
    enableBeforeUnload: () => editing.dirty,
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && !(await editing.confirmLeave()),
  })
  return (
    <div className={styles.page}>
      <PageHeader
        title={now.table_name}
        crumbs={[{ label: t('lists.datasets.title', 'Datasets'), href: listHref }]}
        marks={<CertifiedBadge by={base.certified_by} details={base.certification_details} />}
        actions={
          <>
            <ButtonLink href={`/explore/?datasource_type=table&datasource_id=${detail.id}`} icon="chart">
              {t('dataset.explore', 'Explore')}
            </ButtonLink>
            {editing.readOnly === undefined && (
              <ShareAccess object={{ kind: 'dataset', id: detail.id, name: now.table_name }} />
            )}
            <EditorActions editing={editing} />
          </>
        }
      />
      <EditorBody
        editing={editing}
        tab={tab}
        onTab={(next: EditorTab) => setSearch({ tab: next }, { replace: true })}
      />
    </div>
  )
}
