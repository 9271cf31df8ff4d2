import { ApiError } from '@parquetry/client'
import { Button, ButtonLink, EmptyState, ErrorPanel, PageHeader, useTranslate } from '@parquetry/ui'
import { useMemo, useState } from 'react'
import { messageOf } from '../../shared/errors.ts'
import { usePage } from '../../shared/page.ts'
import { can } from '../../shared/rights.ts'
import { useTitle } from '../../shared/use-title.ts'
import { ListPage } from '../ListPage.tsx'
import { ListSkeleton } from '../ListSkeleton.tsx'
import styles from '../lists.module.css'
import { annotations } from '../pages.ts'
import { annotationList, type Layer } from './annotation-list.tsx'
import { AnnotationDialog } from './AnnotationDialog.tsx'
import { LayerDialog } from './LayerDialog.tsx'
import { useAnnotationLayer } from './use-annotation-layer.ts'

/** Annotations of one layer, or a message if it does not exist. */
export function AnnotationListPage() {
  const { params } = usePage(annotations)
  const id = /^\d+$/.test(params['id'] ?? '') ? Number(params['id']) : null
  const layer = useAnnotationLayer(id)
  if (layer.data) return <OneLayer key={layer.data.id} layer={layer.data} />
  const isNotFound = id === null || (layer.error instanceof ApiError && layer.error.status === 404)
  return <NoLayer error={layer.error} isGone={isNotFound} onRetry={() => void layer.refetch()} />
}

const useCrumbs = () => {
  const t = useTranslate()
  return [{ label: t('lists.layers.title', 'Annotation layers'), href: '/annotationlayer/list/' }]
}

function NoLayer({ error, isGone, onRetry }: { error: Error | null; isGone: boolean; onRetry(): void }) {
  const t = useTranslate()
  const crumbs = useCrumbs()
  const title = t('lists.annotations.title', 'Annotations')
  useTitle([title])
  return (
    <div className={styles.page}>
      <PageHeader title={title} crumbs={crumbs} />
      <div className={styles.content}>
        {isGone ? (
          <EmptyState
            title={t('lists.layers.gone', 'Annotation layer not found')}
            actions={
              <ButtonLink variant="primary" href="/annotationlayer/list/">
                {t('lists.layers.all', 'View all annotation layers')}
              </ButtonLink>
            }
          >
            {t('lists.layers.goneText', 'It was deleted, or the link is wrong.')}
          </EmptyState>
        ) : error ? (
          <ErrorPanel onRetry={onRetry}>{messageOf(error)}</ErrorPanel>
        ) : (
          <ListSkeleton cards={false} columns={3} />
        )}
      </div>
    </div>
  )
}

/** `?new=true` opens the form of a new annotation, `?edit=3` that of an existing one, read-only without write permission. */
function OneLayer({ layer }: { layer: Layer }) {
  const t = useTranslate()
  const mayWrite = can('can_write', 'Annotation')
  const crumbs = useCrumbs()
  const [isEditingLayer, setEditingLayer] = useState(false)
  const definition = useMemo(
    () => annotationList(t, layer, { mayWrite, clipped: styles.clipped, times: styles.times }),
    [t, layer, mayWrite],
  )
  const { search, setSearch } = usePage(annotations)
  const editing = /^\d+$/.test(search['edit'] ?? '') ? Number(search['edit']) : null
  return (
    <ListPage
      page={annotations}
      definition={definition}
      crumbs={crumbs}
      note={layer.descr}
      actions={
        mayWrite && (
          <Button icon="edit" onClick={() => setEditingLayer(true)}>
            {t('lists.layers.editShort', 'Edit layer')}
          </Button>
        )
      }
      onOpen={(dialog, id) => setSearch({ [dialog]: id })}
    >
      {isEditingLayer && <LayerDialog id={layer.id} onClose={() => setEditingLayer(false)} />}
      {mayWrite && search['new'] === 'true' && (
        <AnnotationDialog layer={layer.id} id={null} mayWrite onClose={() => setSearch({ new: null })} />
      )}
      {editing !== null && (
        <AnnotationDialog
          key={editing}
          layer={layer.id}
          id={editing}
          mayWrite={mayWrite}
          onClose={() => setSearch({ edit: null })}
        />
      )}
    </ListPage>
  )
}
