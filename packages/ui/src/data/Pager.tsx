import { Button } from '../buttons/Button.tsx'
import { IconButton } from '../buttons/IconButton.tsx'
import { Menu } from '../overlays/Menu.tsx'
import { useTranslate } from '../theme/i18n.ts'
import { listPagerItems } from './pager-items.ts'
import styles from './Pager.module.css'

export interface PagerProps {
  /** Counts from 0, as the API does. */
  page: number
  pageSize: number
  count: number
  onPage(page: number): void
  onPageSize?: (pageSize: number) => void
  pageSizes?: readonly number[]
}

/** Page numbers: the first, the last and those around the current one. */
export function Pager({ page, pageSize, count, onPage, onPageSize, pageSizes = [25, 50, 100] }: PagerProps) {
  const t = useTranslate()
  const pages = Math.max(1, Math.ceil(count / pageSize))
  return (
    <div className={styles.pager}>
      {pages > 1 && (
        <nav aria-label={t('ui.pager.label', 'Pagination')}>
          <ul>
            <li>
              <IconButton
                icon="chevron-left"
                label={t('ui.pager.previous', 'Previous page')}
                disabledReason={page === 0 ? t('ui.pager.first', 'This is the first page') : undefined}
                onClick={() => onPage(page - 1)}
              />
            </li>
            {listPagerItems(page, pages).map((item, index) => (
              <li key={item ?? `gap-${index}`}>
                {item === null ? (
                  <span className={styles.gap}>…</span>
                ) : (
                  <Button
                    variant="quiet"
                    className={styles.page}
                    aria-label={t('ui.pager.page', 'Page {page, number}', { page: item + 1 })}
                    aria-current={item === page ? 'page' : undefined}
                    onClick={() => onPage(item)}
                  >
                    {item + 1}
                  </Button>
                )}
              </li>
            ))}
            <li>
              <IconButton
                icon="chevron-right"
                label={t('ui.pager.next', 'Next page')}
                disabledReason={page >= pages - 1 ? t('ui.pager.last', 'This is the last page') : undefined}
                onClick={() => onPage(page + 1)}
              />
            </li>
          </ul>
        </nav>
      )}
      {onPageSize && count > (pageSizes[0] ?? 0) && (
        <Menu
          align="end"
          side="top"
          label={t('ui.pager.size', 'Rows per page')}
          items={pageSizes.map((size) => ({
            label: String(size),
            checked: size === pageSize,
            onSelect: () => onPageSize(size),
          }))}
        >
          <Button
            variant="quiet"
            iconRight="chevron-down"
            aria-label={t('ui.pager.sizeNow', 'Rows per page: {size, number}', { size: pageSize })}
          >
            {pageSize}
          </Button>
        </Menu>
      )}
    </div>
  )
}
