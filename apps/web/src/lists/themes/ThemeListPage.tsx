import { useTranslate } from '@parquetry/ui'
import { useMemo } from 'react'
import { usePage } from '../../shared/page.ts'
import { can } from '../../shared/rights.ts'
import { ListPage } from '../ListPage.tsx'
import { themes } from '../pages.ts'
import { themeList } from './theme-list.tsx'
import { ThemeDialog } from './ThemeDialog.tsx'

/** `?new=true` opens the form of a new theme, `?edit=3` that of an existing one. */
export function ThemeListPage() {
  const t = useTranslate()
  const mayWrite = can('can_write', 'Theme')
  const definition = useMemo(() => themeList(t, mayWrite), [t, mayWrite])
  const { search, setSearch } = usePage(themes)
  const editing = /^\d+$/.test(search['edit'] ?? '') ? Number(search['edit']) : null
  return (
    <ListPage page={themes} definition={definition} onOpen={(dialog, id) => setSearch({ [dialog]: id })}>
      {mayWrite && search['new'] === 'true' && (
        <ThemeDialog id={null} mayWrite onClose={() => setSearch({ new: null })} />
      )}
      {editing !== null && (
        <ThemeDialog key={editing} id={editing} mayWrite={mayWrite} onClose={() => setSearch({ edit: null })} />
      )}
    </ListPage>
  )
}
