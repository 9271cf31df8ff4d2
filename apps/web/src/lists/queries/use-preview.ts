import { usePage, type Page, type RawSearch } from '../../shared/page.ts'

/** Id of the row with the open drawer, stored in the address so that links and the back button restore it. */
export function usePreview(page: Page<RawSearch>): { id: number | null; open(id: number): void; close(): void } {
  const { search, setSearch } = usePage(page)
  const id = Number(search['preview'])
  return {
    id: Number.isInteger(id) && id > 0 ? id : null,
    open: (next) => setSearch({ preview: next }),
    close: () => setSearch({ preview: null }),
  }
}
