import { useNavigation, useTranslate } from '@parquetry/ui'
import { useMemo } from 'react'
import { usePage } from '../../shared/page.ts'
import { can } from '../../shared/rights.ts'
import { ListPage } from '../ListPage.tsx'
import styles from '../lists.module.css'
import { annotationLayers } from '../pages.ts'
import { layerList } from './layer-list.tsx'
import { LayerDialog } from './LayerDialog.tsx'

/** `?new=true` opens the form of a new layer, `?edit=3` that of an existing one. A new layer opens its annotation list. */
export function LayerListPage() {
  const t = useTranslate()
  const { go } = useNavigation()
  const mayWrite = can('can_write', 'Annotation')
  const definition = useMemo(() => layerList(t, mayWrite, styles.clipped), [t, mayWrite])
  const { search, setSearch } = usePage(annotationLayers)
  const editing = /^\d+$/.test(search['edit'] ?? '') ? Number(search['edit']) : null
  return (
    <ListPage page={annotationLayers} definition={definition} onOpen={(dialog, id) => setSearch({ [dialog]: id })}>
      {mayWrite && search['new'] === 'true' && (
        <LayerDialog
          id={null}
          onClose={() => setSearch({ new: null })}
          onCreate={(id) => go(`/annotationlayer/${id}/annotation/`)}
        />
      )}
      {mayWrite && editing !== null && (
        <LayerDialog key={editing} id={editing} onClose={() => setSearch({ edit: null })} />
      )}
    </ListPage>
  )
}
