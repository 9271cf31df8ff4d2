import { useTranslate } from '@parquetry/ui'
import { useMemo } from 'react'
import { usePage } from '../../shared/page.ts'
import { can } from '../../shared/rights.ts'
import { ListPage } from '../ListPage.tsx'
import styles from '../lists.module.css'
import { cssTemplates } from '../pages.ts'
import { cssTemplateList } from './css-template-list.tsx'
import { CssTemplateDialog } from './CssTemplateDialog.tsx'

/** `?new=true` opens the form of a new template, `?edit=3` that of an existing one, read-only without the permission to write. */
export function CssTemplateListPage() {
  const t = useTranslate()
  const mayWrite = can('can_write', 'CssTemplate')
  const definition = useMemo(() => cssTemplateList(t, mayWrite, styles.clipped), [t, mayWrite])
  const { search, setSearch } = usePage(cssTemplates)
  const editing = /^\d+$/.test(search['edit'] ?? '') ? Number(search['edit']) : null
  return (
    <ListPage page={cssTemplates} definition={definition} onOpen={(dialog, id) => setSearch({ [dialog]: id })}>
      {mayWrite && search['new'] === 'true' && (
        <CssTemplateDialog id={null} mayWrite onClose={() => setSearch({ new: null })} />
      )}
      {editing !== null && (
        <CssTemplateDialog key={editing} id={editing} mayWrite={mayWrite} onClose={() => setSearch({ edit: null })} />
      )}
    </ListPage>
  )
}
